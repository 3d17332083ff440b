// The spectral solver of the Klein-Kramers equation: exact cases, limits of friction, relations that it does not use.
#include <doctest/doctest.h>

#include <cmath>
#include <stdexcept>

#include "reference_detail.h"
#include "reference_inertial.h"
#include "reference_ratchets.h"

using doctest::Approx;
using namespace bmsim::reference;

namespace {

auto relative(double value, double tolerance) { return Approx(value).epsilon(tolerance).scale(0); }
auto absolute(double value, double tolerance) { return Approx(value).epsilon(tolerance / (1 + std::abs(value))); }
double sine(double x) { return std::sin(2 * pi * x); }

void check_equal(const InertialTransport& here, const InertialTransport& there, double tolerance) {
  CHECK(here.v == absolute(there.v, tolerance));
  CHECK(here.v2 == relative(there.v2, tolerance));
  CHECK(here.D_eff == relative(there.D_eff, tolerance));
}

}  // namespace

TEST_CASE("inertial transport: V = 0 gives F / gamma, T / m + v^2, T / gamma") {
  const auto flat = inertial_transport(sine_force(0, 1.7, 0.4), {0.7, 0.9, 0.5}, 40, 4);
  CHECK(flat.v == relative(0.4 / 0.9, 1e-10));
  CHECK(flat.v2 == relative(0.5 / 0.7 + std::pow(0.4 / 0.9, 2), 1e-10));
  CHECK(flat.D_eff == relative(0.5 / 0.9, 1e-10));
}

TEST_CASE("inertial transport: without tilt Maxwell's law and no current, whatever the potential") {
  for (const auto& force : {sine_force(1, 1), TwoWaves{.b = 0.4, .phi = 0.3}.force()}) {
    const auto still = inertial_transport(force, {0.7, 2, 0.5}, 200, 24);
    CHECK(still.v == absolute(0, 1e-9));
    CHECK(still.v2 == relative(0.5 / 0.7, 1e-10));
    CHECK(still.D_eff < 0.5 / 2);
  }
}

TEST_CASE("inertial transport: twice the basis, another centre and simulated values") {
  const auto tilted = inertial_transport(sine_force(1, 1, 2), {1, 1, 0.5}, 200, 24);
  check_equal(tilted, inertial_transport(sine_force(1, 1, 2), {1, 1, 0.5}, 400, 48), 1e-8);
  check_equal(tilted, inertial_transport(sine_force(1, 1, 2), {1, 1, 0.5}, 250, 24, 1), 1e-8);
  CHECK(tilted.v == absolute(0.7036729926, 1e-9));
  CHECK(tilted.D_eff == relative(5.018838031, 1e-9));
  // Simulated with 2000 particles over 90, 90 and 800 (kick, drift, exact friction; dt = 0.005).
  CHECK(tilted.v == absolute(0.7025, 4 * 0.0074));
  const auto cold = inertial_transport(sine_force(1, 1, 3), {1, 0.9, 0.1}, 300, 40, 2);
  CHECK(cold.v == absolute(3.3177, 4 * 0.0011));
  CHECK(cold.D_eff == relative(0.1094, 0.13));
  const auto bistable = inertial_transport(sine_force(1, 1, 1), {1, 0.3, 0.5}, 500, 24, 1);
  CHECK(bistable.v == absolute(3.058, 4 * 0.0072));
  CHECK(bistable.v2 == relative(10.697, 4 * 0.003));
}

TEST_CASE("inertial transport: m, L, V0 and T by scaling") {
  // x = 2 X, V0 = 3 U: time unit L sqrt(m / V0), friction unit sqrt(m V0) / L
  const double time = 2 * std::sqrt(0.6 / 3), friction = std::sqrt(0.6 * 3) / 2;
  const auto unit = inertial_transport(sine_force(1, 1, 2), {1, 1.5, 0.5}, 200, 24);
  const auto scaled = inertial_transport(sine_force(3, 2, 2 * 3.0 / 2), {0.6, 1.5 * friction, 1.5}, 200, 24);
  CHECK(scaled.v == relative(unit.v * 2 / time, 1e-9));
  CHECK(scaled.v2 == relative(unit.v2 * 3 / 0.6, 1e-9));
  CHECK(scaled.D_eff == relative(unit.D_eff * 4 / time, 1e-9));
}

TEST_CASE("inertial transport: mobility at F -> 0 is D_eff / T (Einstein), v is odd in F for a sine") {
  const Particle particle{1, 0.8, 0.4};
  const double F = 1e-4;
  const auto right = inertial_transport(sine_force(1, 1, F), particle, 300, 32);
  const auto left = inertial_transport(sine_force(1, 1, -F), particle, 300, 32);
  const auto still = inertial_transport(sine_force(1, 1), particle, 300, 32);
  CHECK((right.v - left.v) / (2 * F) == relative(still.D_eff / particle.T, 1e-5));
  CHECK(right.v == absolute(-left.v, 1e-10));
}

TEST_CASE("inertial transport: strong friction is Stratonovich's overdamped particle, corrected by 1 / gamma^2") {
  const auto exact = stratonovich(sine, 2, 0.5, 1);
  const auto scaled = [](double gamma) {
    const auto transport = inertial_transport(sine_force(1, 1, 2), {1, gamma, 0.5}, 24, 32);
    return std::pair{gamma * transport.v, gamma * transport.D_eff};
  };
  const auto [v1, D1] = scaled(100);
  const auto [v2, D2] = scaled(200);
  CHECK(v1 == relative(exact.v, 4e-3));
  CHECK((4 * v2 - v1) / 3 == relative(exact.v, 1e-5));
  CHECK((4 * D2 - D1) / 3 == relative(exact.D_eff, 1e-5));
  const TwoWaves ratchet;
  const auto energy = [&ratchet](double x) { return ratchet.energy(x); };
  const auto skewed = inertial_transport(ratchet.force(-3), {1, 1e3, 0.3}, 16, 32);
  CHECK(skewed.v * 1e3 == relative(stratonovich(energy, -3, 0.3, 1).v, 1e-4));
}

TEST_CASE("inertial transport: strong friction is Lifson-Jackson times Kramers' factor, to the order of T / V0") {
  const auto ratio = [](double gamma, double T) {
    const Particle particle{1, gamma, T};
    const double D_eff = inertial_transport(sine_force(1, 1), particle, 100, 32).D_eff;
    return D_eff / inertial_diffusion_high_friction(1, particle) / kramers_inertial_factor(1, 1, particle);
  };
  CHECK(ratio(1e3, 0.2) == relative(1, 1e-3));
  CHECK(ratio(5, 0.2) == relative(1, 0.03));
  CHECK(std::abs(ratio(5, 0.1) - 1) < 0.6 * std::abs(ratio(5, 0.2) - 1));
}

TEST_CASE("inertial transport: weak friction is diffusion of energy, corrected by sqrt(gamma)") {
  const auto ratio = [](double gamma, int hermite, int modes) {
    const Particle particle{1, gamma, 2};
    const double D_eff = inertial_transport(sine_force(1, 1), particle, hermite, modes).D_eff;
    return D_eff / inertial_diffusion_low_friction(1, 1, particle);
  };
  const double weak = ratio(0.4, 600, 32), weaker = ratio(0.1, 1200, 40);
  CHECK(weaker > 1);
  CHECK(2 * weaker - weak == Approx(1).epsilon(0.02));
}

TEST_CASE("inertial transport: a basis that is too small, or far from the velocities, is refused") {
  CHECK_THROWS_AS(inertial_transport(sine_force(1, 1), {1, 0.1, 0.5}, 200, 24), std::runtime_error);
  CHECK_THROWS_AS(inertial_transport(sine_force(1, 1, 2), {1, 1, 0.5}, 50, 24), std::runtime_error);
  CHECK_THROWS_AS(inertial_transport(sine_force(1, 1, 3), {1, 0.9, 0.1}, 200, 40), std::runtime_error);
  CHECK_THROWS_AS(inertial_transport(sine_force(1, 1, 3), {1, 0.9, 0.1}, 200, 40, 1.5),
                  std::runtime_error);  // rounding
  CHECK_THROWS_AS(inertial_transport(sine_force(1, 1), {0, 1, 1}, 40, 8), std::invalid_argument);
}
