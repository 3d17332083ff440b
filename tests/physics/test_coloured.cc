// Coloured noises: Ornstein-Uhlenbeck and three-state noise, acting on free, bound and inertial particles.
//
// Held to: Ornstein-Uhlenbeck noise: free and harmonic variance, with events, with inertia; three-state noise: the same
#include <doctest/doctest.h>

#include <cmath>

#include "measures.h"
#include "reference_inertial.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

constexpr double k = 1.5;                   // stiffness of the harmonic potential
constexpr double D = 0.6, tau = 0.4;        // Ornstein-Uhlenbeck
constexpr double F = 1.3, q = 0.3, nu = 2;  // three-state

const Part ornstein_uhlenbeck{BM_NOISE, "ornstein_uhlenbeck", {{"D", D}, {"tau", tau}}};
const Part three_state{BM_NOISE, "three_state", {{"F", F}, {"q", q}, {"nu", nu}}};
const Part poisson{BM_NOISE, "poisson", {{"lambda", 4}, {"zeta", 0.3}}};
const Part harmonic{BM_POTENTIAL, "harmonic", {{"k", k}}};

}  // namespace

TEST_CASE("free particle under Ornstein-Uhlenbeck noise: 2 D [t - tau (1 - exp(-t/tau))], stationary from the start" *
          doctest::test_suite("quick")) {
  for (const double time : {0.2, 2.0}) {
    CAPTURE(time);
    const double exact = reference::free_ornstein_uhlenbeck_variance(D, tau, time);
    const Sample run = sample(make_model({ornstein_uhlenbeck}), timed_run(0.01, time, 0, 393216));
    CHECK_EXACT(mean(displacements(run)), 0, 0.003);
    CHECK_EXACT(variance(displacements(run)), exact, 0.004 * exact);
  }
}

TEST_CASE("Ornstein-Uhlenbeck noise is exact at any step, dt/tau from 0.01 to 1000: 2 D [t - tau (1 - exp(-t/tau))]") {
  for (const double h : {0.01 * tau, 0.2, 0.8, 10 * tau, 1000 * tau}) {
    CAPTURE(h);
    for (const int steps : {1, 5}) {
      CAPTURE(steps);
      RunOptions run = timed_run(h, steps * h, 0, 393216);
      for (const std::string precision : {"single", "double"}) {
        CAPTURE(std::string(precision));
        run.precision = precision;
        const Sample free = sample(make_model({ornstein_uhlenbeck}), run);
        const double exact = reference::free_ornstein_uhlenbeck_variance(D, tau, steps * h);
        CHECK_EXACT(variance(displacements(free)), exact, 0.004 * exact);
        CHECK_EXACT(third_cumulant(displacements(free)), 0, 0.01 * std::pow(exact, 1.5));
      }
    }
  }
}

TEST_CASE("Ornstein-Uhlenbeck noise far faster than the step, 250 tau, acts as white noise: D, by every method") {
  const Part fast{BM_NOISE, "ornstein_uhlenbeck", {{"D", D}, {"tau", 0.0004}}};
  for (const std::string method : {"heun", "platen", "euler", "adaptive"}) {
    CAPTURE(std::string(method));
    RunOptions run = timed_run(0.1, 2, 0, 393216);
    run.method = method;
    const Sample free = sample(make_model({fast}), run);
    const double exact = reference::free_ornstein_uhlenbeck_variance(D, 0.0004, 2);
    CHECK_EXACT(variance(displacements(free)), exact, 0.004 * exact);
  }
  // With kicks: steps of any length. In a harmonic potential the step must be short for that alone.
  const reference::ShotNoise shots{4, reference::KickLaw::exponential(0.3)};
  const Sample kicked = sample(make_model({fast, poisson}), timed_run(0.1, 2, 0, 393216));
  const double exact =
      reference::free_ornstein_uhlenbeck_variance(D, 0.0004, 2) + reference::free_shots(shots, 2).variance;
  CHECK_EXACT(variance(displacements(kicked)), exact, 0.006 * exact);
  const Sample bound = sample(make_model({harmonic, fast}), timed_run(0.02, 6, 0, 393216));
  CHECK_EXACT(variance(bound.end), reference::harmonic_ornstein_uhlenbeck_variance(k, D, 0.0004), 0.0011);
}

TEST_CASE("Ornstein-Uhlenbeck noise in a harmonic potential: variance D / [k (1 + k tau)], also by sigma and tau") {
  const double exact = reference::harmonic_ornstein_uhlenbeck_variance(k, D, tau);
  const Part by_sigma{BM_NOISE, "ornstein_uhlenbeck", {{"sigma", std::sqrt(D / tau)}, {"tau", tau}}};
  for (const Part& noise : {ornstein_uhlenbeck, by_sigma}) {
    const Sample run = sample(make_model({harmonic, noise}), timed_run(0.02, 6, 0, 393216));
    CHECK_EXACT(mean(run.end), 0, 0.001);
    CHECK_EXACT(variance(run.end), exact, 0.001);
  }
}

TEST_CASE("Ornstein-Uhlenbeck and Poissonian noise together: the variances add, on every trajectory's own clock") {
  const reference::ShotNoise shots{4, reference::KickLaw::exponential(0.3)};
  const double time = 1.5;
  const Sample free = sample(make_model({ornstein_uhlenbeck, poisson}), timed_run(0.02, time, 0, 393216));
  const double moved =
      reference::free_ornstein_uhlenbeck_variance(D, tau, time) + reference::free_shots(shots, time).variance;
  CHECK_EXACT(variance(displacements(free)), moved, 0.006);
  CHECK_EXACT(third_cumulant(displacements(free)), reference::free_shots(shots, time).third, 0.02);
  const Sample bound = sample(make_model({harmonic, ornstein_uhlenbeck, poisson}), timed_run(0.02, 6, 0, 393216));
  CHECK_EXACT(variance(bound.end),
              reference::harmonic_ornstein_uhlenbeck_variance(k, D, tau) + reference::harmonic_shots(k, shots).variance,
              0.002);
}

TEST_CASE("inertial particle in a harmonic potential under Ornstein-Uhlenbeck noise: <x^2> and <v^2>") {
  const reference::Particle particle{0.7, 1.1, 0};
  const auto exact = reference::harmonic_inertial_ornstein_uhlenbeck(k, particle, D, tau);
  for (const std::string method : {"aboba", "heun"}) {
    CAPTURE(std::string(method));
    RunOptions run = timed_run(0.02, 16, 0.75, 393216);
    run.method = method;
    run.starts["v"] = StartLaw{0, 0, 0, 0};
    run.starts["x"] = StartLaw{0, 0, 0, 0};
    const Sample still = sample(make_model(Inertial{particle.m, particle.gamma}, {harmonic, ornstein_uhlenbeck}), run);
    CHECK_EXACT(variance(still.end), exact.x2, 0.001);
    CHECK_EXACT(variance(still.speed), exact.v2, 0.001);
    CHECK_EXACT(still.velocity_squared, exact.v2, 0.001);
  }
}

TEST_CASE("three-state noise: variance of the free particle, cumulants in a harmonic potential") {
  const auto noise = reference::KuboAnderson::three_state(F, q, nu);
  for (const double time : {0.3, 2.0}) {
    CAPTURE(time);
    const double exact = reference::free_kubo_anderson_variance(noise, time);
    const Sample free = sample(make_model({three_state}), timed_run(0.02, time, 0, 393216));
    CHECK_EXACT(mean(displacements(free)), 0, 0.003);
    CHECK_EXACT(variance(displacements(free)), exact, 0.003 * exact);
  }
  const auto exact = reference::harmonic_kubo_anderson(k, noise);
  const BatchedCumulants bound =
      cumulants(sample(make_model({harmonic, three_state}), timed_run(0.02, 6, 0, 589824)).end);
  CHECK_EXACT(bound.mean, 0, 0.001);
  CHECK_EXACT(bound.variance, exact.variance, 0.001);
  CHECK_EXACT(bound.third, 0, 0.001);
  CHECK_EXACT(bound.fourth, exact.fourth, 0.001);
}
