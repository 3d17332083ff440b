// Inertial particles and escape: closed forms against integrals, quadratures against each other and their limits.
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "reference_detail.h"
#include "reference_inertial.h"

using doctest::Approx;
using namespace bmsim::reference;

namespace {

auto relative(double value, double tolerance) { return Approx(value).epsilon(tolerance).scale(0); }
double sine(double x) { return std::sin(2 * pi * x); }

const Particle particle{.m = 0.7, .gamma = 0.9, .T = 0.4};

}  // namespace

TEST_CASE("free inertial particle: the displacement integrates the correlation; at rest it starts as t^3") {
  const double t = 1.3;
  const double twice = integrate(0, t, 8, [&](double s) { return 2 * (t - s) * velocity_correlation(particle, s); });
  CHECK(free_inertial_msd(particle, t, particle.T / particle.m) == relative(twice, 1e-12));
  // dv relaxes: <v(s) v(s')> at rest from the stationary one less exp(-gamma (s + s') / m)
  const double tau = particle.m / particle.gamma;
  const double lost = std::pow(tau * -std::expm1(-t / tau), 2) * particle.T / particle.m;
  CHECK(free_inertial_msd(particle, t, 0) == relative(twice - lost, 1e-12));
  const double early = 2 * particle.gamma * particle.T / std::pow(particle.m, 2) * 1e-9 / 3;
  CHECK(free_inertial_msd(particle, 1e-3, 0) == relative(early, 2e-3));
  CHECK(free_inertial_msd(particle, 1e6, 0) == relative(2e6 * particle.T / particle.gamma, 1e-5));
}

TEST_CASE("harmonic inertial particle, Ornstein-Uhlenbeck force: integrals of the spectrum, thermal and overdamped") {
  const double k = 1.7, D = 0.6, tau = 0.5;
  const auto& [m, gamma, T] = particle;
  const auto spectrum = [&](int power) {
    return integrate(0, pi / 2, 200, [&](double angle) {  // omega = tan(angle)
      const double w2 = std::pow(std::tan(angle), 2);
      const double response = std::pow(k - m * w2, 2) + gamma * gamma * w2;
      return 2 * D / pi * (1 + w2) * std::pow(w2, power) / ((1 + w2 * tau * tau) * response);
    });
  };
  const auto coloured = harmonic_inertial_ornstein_uhlenbeck(k, particle, D, tau);
  CHECK(coloured.x2 == relative(spectrum(0), 1e-9));
  CHECK(coloured.v2 == relative(spectrum(1), 1e-9));
  const auto white = harmonic_inertial_ornstein_uhlenbeck(k, particle, gamma * T, 1e-9);
  CHECK(white.x2 == relative(harmonic_inertial(k, particle).x2, 1e-8));
  CHECK(white.v2 == relative(harmonic_inertial(k, particle).v2, 1e-8));
  CHECK(white.v2 == relative(velocity_correlation(particle, 0), 1e-8));
  const auto overdamped = harmonic_inertial_ornstein_uhlenbeck(k, {1e-9, 1, 0}, D, tau);
  CHECK(overdamped.x2 == relative(harmonic_ornstein_uhlenbeck_variance(k, D, tau), 1e-8));
}

TEST_CASE("free inertial particle under kicks: cumulants integrate the kicks of the past") {
  const ShotNoise shots{2.5, KickLaw::gaussian(0.3, 0.5), false};
  const auto& [m, gamma, T] = particle;
  const auto past = [&](int n, double moment) {
    return integrate(0, 60, 100, [&](double s) { return 2.5 * moment * std::pow(std::exp(-gamma * s / m) / m, n); });
  };
  const auto v = free_inertial_shots(particle, shots);
  CHECK(v.mean == relative(past(1, shots.kick.first), 1e-10));
  CHECK(v.mean == relative(2.5 * 0.3 / gamma, 1e-12));
  CHECK(v.variance == relative(past(2, shots.kick.second), 1e-10));
  CHECK(v.third == relative(past(3, shots.kick.third), 1e-10));
  CHECK(v.fourth == relative(past(4, shots.kick.fourth), 1e-10));
  const PoissonNoise poisson{.D = 1, .a = 2.5};  // m = 1: v obeys the harmonic equation of x with k = gamma
  const ShotNoise kicks{poisson.lambda(), KickLaw::exponential(poisson.zeta())};
  CHECK(free_inertial_shots({1, 0.9, 0}, kicks).mean == 0);
  CHECK(free_inertial_shots({1, 0.9, 0}, kicks).fourth == relative(harmonic_poisson(0.9, poisson).fourth, 1e-12));
}

TEST_CASE("mean exit: flat V, and walks from minimum to minimum are Lifson-Jackson and Stratonovich") {
  const auto flat = mean_exit([](double) { return 5.0; }, 0, 0.3, -1, 0.5, 3);
  CHECK(flat.time == relative(1.5 * 2.5 / (2 * 0.3), 1e-12));
  CHECK(flat.right == relative(1.5 / 4, 1e-12));
  for (const double D : {0.04, 0.1, 0.5, 1.0}) {
    const auto hop = mean_exit(sine, 0, D, -1.25, -0.25, 0.75);
    CHECK(hop.right == relative(0.5, 1e-10));
    CHECK(1 / (2 * hop.time) == relative(lifson_jackson(1, D), 1e-9));
    CHECK(hop.time == relative(mean_exit(sine, 0, D, -1.25, -0.25, 0.75, 120).time, 1e-9));
    const auto tilted = mean_exit(sine, 1.5, D, -1.25, -0.25, 0.75);
    CHECK((2 * tilted.right - 1) / tilted.time == relative(stratonovich(sine, 1.5, D, 1).v, 1e-7));
  }
  CHECK_THROWS_AS(mean_exit(sine, 0, 0.1, 0, 1, 1), std::invalid_argument);
}

TEST_CASE("Kramers, overdamped: exact to first order in T / V0, half of the way is to the tops") {
  for (const double T : {0.05, 0.1}) {
    const auto minima = mean_exit(sine, 0, T, -1.25, -0.25, 0.75), tops = mean_exit(sine, 0, T, -0.75, -0.25, 0.25);
    CHECK(2 * minima.time * kramers_overdamped(1, 1, 1, T) == Approx(1 + T / 4).epsilon(T * T));
    CHECK(tops.time == relative(minima.time / 2, 1e-8));
  }
  // V0, L and gamma by scaling: time unit gamma L^2 / V0
  CHECK(kramers_overdamped(3, 2, 5, 0.6) == relative(3.0 / (5 * 4) * kramers_overdamped(1, 1, 1, 0.2), 1e-12));
}

TEST_CASE("Kramers, inertial factor: 1 at strong friction, gamma over omega at weak friction") {
  CHECK(kramers_inertial_factor(1, 1, {1, 1e4, 0.1}) == relative(1, 1e-6));
  const double c = 1e-3, omega = sine_frequency(1, 1, 1);
  CHECK(omega == relative(2 * pi, 1e-14));
  CHECK(kramers_inertial_factor(1, 1, {1, 2 * c * omega, 0.1}) ==
        relative((std::sqrt(1 + c * c) - c) * 2 * c, 1e-12));  // gamma / omega (sqrt(1 + c^2) - c), c = gamma / 2 omega
}

TEST_CASE("energy diffusion: the action's slope is the period, deep wells give Kramers' low-friction rate") {
  // action of the barrier: 2 int sqrt(2 m (V0 - V)) dx over the well
  const double action = 2 * integrate(-0.75, 0.25, 40, [](double x) { return std::sqrt(2 * (1 - sine(x))); });
  CHECK(sine_barrier_action(1, 1, 1) == relative(action, 1e-10));
  const Particle weak{1, 0.01, 0.05};
  const double previous = energy_diffusion_time(1, 1, {1, 0.01, 0.1}) * kramers_low_friction(1, 1, {1, 0.01, 0.1});
  const double product = energy_diffusion_time(1, 1, weak) * kramers_low_friction(1, 1, weak);
  CHECK(product == Approx(1).epsilon(0.06));
  CHECK(std::abs(product - 1) < 0.6 * std::abs(previous - 1));
  // Against a flat law of energies the flux is plain: 2 V0 m / (gamma T).
  CHECK(energy_diffusion_time(1e-4, 1, {2, 0.3, 0.5}) == relative(2e-4 * 2 / (0.3 * 0.5), 1e-3));
  CHECK(energy_diffusion_time(2, 3, {4, 0.3, 0.5}) == relative(4 / 0.3 * energy_diffusion_time(4, 1, {1, 1, 1}), 1e-9));
}

TEST_CASE("energy diffusion: integrated by parts, with actions by quadrature of the momentum, it is the same") {
  // gamma T time / m = int dE [1 + (1 / T) int dE' I(E') / I(E) exp((E - E') / T)]
  const double T = 0.5;
  const auto action = [](double energy) {  // 2 int p dx, sin(pi (x + 1/4)) = k sin(theta)
    const double k2 = (energy + 1) / 2;
    return integrate(0, pi / 2, 3, [&](double theta) {
      return 8 / pi * k2 * std::pow(std::cos(theta), 2) / std::sqrt(1 - k2 * std::pow(std::sin(theta), 2));
    });
  };
  const double parts = integrate(-1, 1, 8, [&](double energy) {
    const double inner = integrate(-1, energy, 2, [&](double e) { return action(e) * std::exp((energy - e) / T); });
    return 1 + inner / (T * action(energy));
  });
  CHECK(energy_diffusion_time(1, 1, {0.7, 0.3, T}) == relative(0.7 / (0.3 * T) * parts, 1e-5));
}

TEST_CASE("diffusion at low friction: T / gamma without V, Arrhenius with it") {
  CHECK(inertial_diffusion_low_friction(1e-9, 1, {2, 0.3, 0.5}) == relative(0.5 / 0.3, 1e-4));
  // deep: Z = (2 pi T / omega) exp(V0 / T), and the integral is T exp(-V0 / T) / I(V0), I(V0) = 4 / pi
  const auto deep = [](double T) { return inertial_diffusion_low_friction(1, 1, {1, 1, T}) / (pi / 2 * T); };
  CHECK(deep(0.01) * std::exp(2 / 0.01) == Approx(1).epsilon(0.03));
  CHECK(std::abs(deep(0.01) * std::exp(2 / 0.01) - 1) < 0.6 * std::abs(deep(0.02) * std::exp(2 / 0.02) - 1));
}
