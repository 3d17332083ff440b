// Ratchets: adiabatic averages, drives periodic in time and flashing potentials, each as the limit of another.
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "reference_detail.h"
#include "reference_ratchets.h"

using doctest::Approx;
using namespace bmsim::reference;

namespace {

const TwoWaves ratchet;  // b = 1/4, phi = 0
const PiecewiseLinear skewed{.L = 1, .V0 = 1, .k = 0.2};

auto relative(double value, double tolerance) { return Approx(value).epsilon(tolerance).scale(0); }
auto absolute(double value, double tolerance) { return Approx(value).epsilon(tolerance / (1 + std::abs(value))); }
double energy(double x) { return ratchet.energy(x); }
/// Value at 0 of the line through (2 h, coarse) and (h, fine).
double extrapolate(double coarse, double fine) { return 2 * fine - coarse; }

}  // namespace

TEST_CASE("two waves: the force is the slope of the energy") {
  const TwoWaves waves{.V0 = 0.7, .L = 1.5, .b = 0.3, .phi = 0.8};
  const auto exact = waves.force(0.2);
  const auto sampled =
      sampled_force([&](double x) { return 0.2 - (waves.energy(x + 1e-5) - waves.energy(x - 1e-5)) / 2e-5; }, 1.5, 8);
  for (size_t k = 0; k < exact.coefficient.size(); ++k)
    CHECK(std::abs(exact.coefficient[k] - sampled.coefficient[k]) < 1e-8);
}

TEST_CASE("rocked, adiabatic: slow flips and slow square drives lead there, a symmetric V gives nothing") {
  const double exact = rocked_square(energy, 4, 0, 0.1, 1);
  CHECK(exact == absolute(-0.2926545, 1e-7));
  const auto flips = [](double tau) {
    return master_velocity(ratchet.force(), DichotomousNoise::zero_mean(4, 4, tau), 0.1, 32);
  };
  const auto drive = [](double period) {
    return alternating_velocity(ratchet.force(4), period / 2, ratchet.force(-4), period / 2, 0.1, 32);
  };
  CHECK(extrapolate(flips(200), flips(400)) == absolute(exact, 1e-6));
  CHECK(extrapolate(drive(50), drive(100)) == absolute(exact, 1e-6));
  const auto sine = [](double x) { return std::sin(2 * pi * x); };
  CHECK(rocked_square(sine, 4, 0, 0.1, 1) == absolute(0, 1e-9));
  CHECK(rocked_cosine(sine, 4, 0, 0.1, 1) == absolute(0, 1e-9));
  CHECK(rocked_cosine(energy, 0, 2, 0.1, 1, 1) == relative(stratonovich(energy, 2, 0.1, 1).v, 1e-12));
}

TEST_CASE("rocked by a cosine: twice the phases and the harmonics, and slow drives lead to the adiabatic average") {
  const double exact = rocked_cosine(energy, 4, 0, 0.1, 1);
  CHECK(exact == absolute(rocked_cosine(energy, 4, 0, 0.1, 1, 64), 1e-8));
  const auto at = [](double omega) { return rocked_velocity(ratchet.force(), 4, omega, 0.1, 20, 24); };
  CHECK(at(0.4) == absolute(rocked_velocity(ratchet.force(), 4, 0.4, 0.1, 32, 48), 1e-8));
  CHECK((4 * at(0.2) - at(0.4)) / 3 == absolute(exact, 3e-5));  // omega^2
  CHECK(at(0.2) == absolute(exact, 2e-3));
}

TEST_CASE("rocked fast: the potential averaged over the particle's own swing A / omega") {
  // f_k J_0(2 pi k A / (omega L)) at omega -> infinity with A / omega fixed
  const double swing = 0.1;
  const auto averaged = [&](double x) {
    return integrate(0, 2 * pi, 4, [&](double phase) { return energy(x + swing * std::sin(phase)); }) / (2 * pi);
  };
  const double exact = stratonovich(averaged, 1.5, 0.2, 1).v;
  const auto at = [&](double omega) { return rocked_velocity(ratchet.force(1.5), swing * omega, omega, 0.2, 24, 12); };
  CHECK(at(1e4) == relative(exact, 1e-3));
  CHECK(std::abs(at(1e4) - exact) < 0.6 * std::abs(at(5e3) - exact));
  CHECK(at(1e4) != relative(stratonovich(energy, 1.5, 0.2, 1).v, 0.05));
}

TEST_CASE("alternating forces: equal ones are Stratonovich's, fast ones their mean, flat ones add up") {
  const double exact = stratonovich(energy, 2, 0.3, 1).v;
  CHECK(alternating_velocity(ratchet.force(2), 0.3, ratchet.force(2), 0.7, 0.3, 32) == relative(exact, 1e-8));
  CHECK(alternating_velocity(ratchet.force(5), 1e-5, ratchet.force(-1), 1e-5, 0.3, 32) == relative(exact, 1e-4));
  CHECK(alternating_velocity(sine_force(0, 1, 3), 0.2, sine_force(0, 1, -1), 0.6, 0.1, 8) == absolute(0, 1e-12));
  const double coarse = alternating_velocity(ratchet.force(), 1, sine_force(0, 1), 0.3, 0.1, 24);
  CHECK(coarse == absolute(alternating_velocity(ratchet.force(), 1, sine_force(0, 1), 0.3, 0.1, 48), 1e-9));
}

TEST_CASE("flashing: Galerkin converges to the exact pieces, also for a modulation about 1 and a tilt") {
  const auto noise = on_and_off(1, 0.3);
  const double exact = flashing_velocity(skewed, noise, 0, 0.3);
  double previous = 1;
  for (const int modes : {25, 50, 100, 200}) {
    const auto force = piecewise_linear_force(skewed, 2 * modes);
    const double error = std::abs(flashing_velocity(force, noise, 0, 0.3, modes) - exact);
    CHECK(error < previous / 4);
    previous = error;
  }
  CHECK(previous < 1e-6);
  const auto modulation = DichotomousNoise::zero_mean(0.5, 0.8, 0.2);
  const auto force = piecewise_linear_force(skewed, 400);
  CHECK(flashing_velocity(force, modulation, 1.5, 0.3, 200) ==
        absolute(flashing_velocity(skewed, modulation, 1.5, 0.3), 1e-5));
}

TEST_CASE("flashing: always on is the static potential, always off drifts with F, fast is the mean potential") {
  const double on = stratonovich(energy, 2, 0.1, 1).v;
  CHECK(flashing_velocity(ratchet.force(), on_and_off(1e8, 1e-3), 2, 0.1, 32) == relative(on, 1e-6));
  CHECK(flashing_velocity(ratchet.force(), on_and_off(1e-9, 1), 2, 0.1, 32) == relative(2, 1e-6));
  const auto weaker = [](double x) { return 0.25 * energy(x); };
  const auto fast = [](double time) {
    return flashing_velocity(ratchet.force(), on_and_off(time, 3 * time), 2, 0.1, 32);
  };
  CHECK(extrapolate(fast(1e-5), fast(5e-6)) == relative(stratonovich(weaker, 2, 0.1, 1).v, 1e-5));
  CHECK(flashing_velocity(sine_force(1, 1), on_and_off(1, 0.3), 0, 0.1, 32) == absolute(0, 1e-11));
  CHECK(flashing_velocity(PiecewiseLinear{.L = 1}, on_and_off(1, 0.3), 0, 0.1) == absolute(0, 1e-11));
  // towards the near top: k < 1/2 moves to the right, its mirror image to the left
  const double right = flashing_velocity(skewed, on_and_off(1, 0.3), 0, 0.1);
  CHECK(right > 0.01);
  CHECK(flashing_velocity(PiecewiseLinear{.L = 1, .V0 = 1, .k = 0.8}, on_and_off(1, 0.3), 0, 0.1) ==
        absolute(-right, 1e-10));
}

TEST_CASE("flashing, deep and random: the master equation leads there, and tells the first order in D / V0") {
  const double D = 0.05, off = 0.3, on = 400;
  const auto at = [&](double V0) {
    const PiecewiseLinear deep{.L = 1, .V0 = V0, .k = 0.2};
    const double solved = flashing_velocity(deep, on_and_off(on, off), 0, D);
    const double corrected = deep_flashing_random(1, deep_flashing_distance(deep, D), D, on, off);
    return std::pair{solved / deep_flashing_random(1, 0.2, D, on, off) - 1, solved / corrected - 1};
  };
  const auto [plain, corrected] = at(10);
  CHECK(plain == Approx(-0.048).epsilon(0.002));
  CHECK(std::abs(corrected) < 2e-3);
  CHECK(std::abs(at(20).second) < 0.4 * std::abs(corrected));  // second order, and the time to slide down
  CHECK(at(20).first == relative(plain / 2, 0.1));
}

TEST_CASE("flashing, deep and on the clock: alternating forces lead there") {
  const double D = 0.02, off = 2;
  const TwoWaves deep{.V0 = 1};
  double bottom = 0, top = 0;  // of the well and of the next top on its right
  for (int n = 0; n < 100000; ++n) {
    const double x = n / 1e5;
    if (deep.energy(x) < deep.energy(bottom)) bottom = x;
    if (deep.energy(x) > deep.energy(top)) top = x;
  }
  const double d = top - bottom + (top < bottom ? 1 : 0);
  const double limit = deep_flashing_fixed(1, d, D, 3, off);
  const auto solved = [&](double V0) {
    return alternating_velocity(TwoWaves{.V0 = V0}.force(), 3, sine_force(0, 1), off, D, 64);
  };
  CHECK(solved(2) == relative(limit, 5e-3));
  CHECK(extrapolate(solved(1), solved(2)) == relative(limit, 3e-4));  // D / V0
}

TEST_CASE("flashing, deep: the fixed law averaged over exponential times is the random law") {
  const double mean = 0.3, D = 0.4;
  const double averaged = integrate(0, 7, 60, [&](double s) {  // t_off = s^2
    const double t = s * s;
    return t > 0 ? 2 * s * std::exp(-t / mean) / mean * deep_flashing_fixed(1, 0.2, D, 5 - t, t) * 5 : 0;
  });
  CHECK(averaged / (4.7 + mean) == relative(deep_flashing_random(1, 0.2, D, 4.7, mean), 1e-9));
  CHECK(deep_flashing_fixed(1, 0.5, D, 1, 1) == absolute(0, 1e-15));
  CHECK(deep_flashing_fixed(2, 0.3, D, 1, 1) == relative(-deep_flashing_fixed(2, 1.7, D, 1, 1), 1e-12));
}

TEST_CASE("ratchets: illegal values are refused") {
  CHECK_THROWS_AS(alternating_velocity(sine_force(1, 1), 1, sine_force(1, 2), 1, 0.1, 8), std::invalid_argument);
  CHECK_THROWS_AS(rocked_velocity(sine_force(1, 1), 1, 0, 0.1, 8, 8), std::invalid_argument);
  CHECK_THROWS_AS(deep_flashing_fixed(1, 1.2, 0.1, 1, 1), std::invalid_argument);
  CHECK_THROWS_AS(flashing_velocity(sine_force(1, 1), on_and_off(1, 1), 0, 0, 8), std::invalid_argument);
  CHECK_THROWS_AS(on_and_off(0, 1), std::invalid_argument);
}
