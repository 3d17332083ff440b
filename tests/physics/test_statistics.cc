// Free particles and Ornstein-Uhlenbeck processes with each noise: cumulants of what is integrated, and so of what is
// drawn.
#include <doctest/doctest.h>

#include <cmath>

#include "ensemble.h"
#include "reference.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

RunOptions short_run(double dt, double time, double transient) {
  RunOptions run = options();
  run.paths = 393216;
  run.dt = dt;
  run.time = time;
  run.transient = transient;
  return run;
}

std::vector<double> displacements(const Sample& run) {
  std::vector<double> d(run.start.size());
  for (size_t i = 0; i < d.size(); ++i) d[i] = run.end[i] - run.start[i];
  return d;
}

constexpr double k = 1.5;  // stiffness of the harmonic potential

Sample harmonic(const Part& noise, const std::string& precision = "single") {
  RunOptions run = short_run(0.004, 8, 0.5);
  run.precision = precision;
  return sample(make_model({{BM_POTENTIAL, "harmonic", {{"k", k}}}, noise}), run);
}

}  // namespace

TEST_CASE("free diffusion: variance 2 D t for Gaussian noise, whatever the law of the increments") {
  for (const std::string increments : {"auto", "three_point", "near_gaussian", "gaussian"}) {
    CAPTURE(increments);
    RunOptions run = short_run(0.01, 2, 0.25);
    run.increments = increments;
    const Sample free = sample(make_model({{BM_NOISE, "gaussian", {{"D", 0.7}}}}), run);
    CHECK_EXACT(variance(displacements(free)), 2 * 0.7 * 1.5, 0.01);
    CHECK_EXACT(third_cumulant(displacements(free)), 0, 0.03);
  }
}

TEST_CASE("free particle under compensated Poissonian noise: cumulants lambda t n! zeta^n") {
  const reference::PoissonNoise noise{0.8, 1.3};
  const Sample free =
      sample(make_model({{BM_NOISE, "poisson", {{"D", noise.D}, {"a", noise.a}}}}), short_run(0.01, 2, 0.25));
  const auto exact = reference::free_poisson(noise, 1.5);
  CHECK_EXACT(free.velocity, 0, 0.003);
  CHECK_EXACT(variance(displacements(free)), exact.variance, 0.02);
  CHECK_EXACT(third_cumulant(displacements(free)), exact.third, 0.15);
}

TEST_CASE("free particle under dichotomous noise: stationary from the start, variance with its correlation time") {
  const Sample free = sample(make_model({{BM_NOISE, "dichotomous", {{"Fa", 3}, {"Fb", 1.6}, {"tau", 0.4}}}}),
                             short_run(0.01, 1.2, 1.0 / 3));
  CHECK_EXACT(free.velocity, 0, 0.004);
  CHECK_EXACT(variance(displacements(free)), reference::free_dichotomous_variance(3, 1.6, 0.4, 0.8), 0.005);
}

TEST_CASE("Ornstein-Uhlenbeck process with Gaussian noise: variance D/k" * doctest::test_suite("quick")) {
  const auto exact = reference::harmonic_gaussian(k, 0.5);
  for (const std::string precision : {"single", "double"}) {
    CAPTURE(precision);
    const Sample run = harmonic({BM_NOISE, "gaussian", {{"D", 0.5}}}, precision);
    CHECK_EXACT(mean(run.end), exact.mean, 0.001);
    CHECK_EXACT(variance(run.end), exact.variance, 0.001);
  }
}

TEST_CASE("Ornstein-Uhlenbeck process with Poissonian noise: the Gamma law's mean, variance and third cumulant") {
  const reference::PoissonNoise noise{0.5, 1.2};
  const auto exact = reference::harmonic_poisson(k, noise);
  const Sample run = harmonic({BM_NOISE, "poisson", {{"D", noise.D}, {"a", noise.a}}});
  CHECK_EXACT(mean(run.end), exact.mean, 0.001);
  CHECK_EXACT(variance(run.end), exact.variance, 0.002);
  CHECK_EXACT(third_cumulant(run.end), exact.third, 0.005);
}

TEST_CASE("Ornstein-Uhlenbeck process with dichotomous noise: variance F^2 / (k (k + 2 r))") {
  const double F = 1.4, r = 0.9;
  const auto exact = reference::harmonic_dichotomous(k, F, r);
  const Sample run = harmonic({BM_NOISE, "dichotomous", {{"Fa", F}, {"Fb", F}, {"mu_a", r}, {"mu_b", r}}});
  CHECK_EXACT(mean(run.end), exact.mean, 0.0015);
  CHECK_EXACT(variance(run.end), exact.variance, 0.001);
}

TEST_CASE("two noises side by side: their variances add") {
  const Model model = make_model({{BM_POTENTIAL, "harmonic", {{"k", k}}},
                                  {BM_NOISE, "poisson", {{"D", 0.5}, {"a", 1.2}}, "left"},
                                  {BM_NOISE, "poisson", {{"D", 0.2}, {"a", 2.5}}, "right"},
                                  {BM_NOISE, "dichotomous", {{"Fa", 1}, {"Fb", 1}, {"mu_a", 0.5}, {"mu_b", 0.5}}},
                                  {BM_NOISE, "gaussian", {{"D", 0.1}}}});
  const double exact =
      reference::harmonic_poisson(k, {0.5, 1.2}).variance + reference::harmonic_poisson(k, {0.2, 2.5}).variance +
      reference::harmonic_dichotomous(k, 1, 0.5).variance + reference::harmonic_gaussian(k, 0.1).variance;
  CHECK_EXACT(variance(sample(model, short_run(0.004, 8, 0.5)).end), exact, 0.005);
}
