// Event noises together with Gaussian noise, where there is no closed form: the stationary master equation, solved in
// the test.
#include <doctest/doctest.h>

#include "ensemble.h"
#include "reference.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const Part poisson{BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.5}}};
const Part dichotomous{BM_NOISE, "dichotomous", {{"Fa", 3.0}, {"Fb", 1.6}, {"tau", 0.2}}};
const Part thermal{BM_NOISE, "gaussian", {{"D", 0.1}}};

RunOptions run(double spp, const char* increments = "auto") {
  RunOptions result = options();
  result.paths = 61440;
  result.periods = 1000;
  result.spp = spp;
  result.increments = increments;
  return result;
}

}  // namespace

TEST_CASE("sine potential, Poissonian and Gaussian noise: velocity of the master equation" *
          doctest::test_suite("quick")) {
  const double exact =
      reference::master_velocity(reference::sine_force(1, 1), reference::PoissonNoise{1, 2.5}, 0.1, 128);
  CHECK_EXACT(sample(make_model({{BM_POTENTIAL, "sine", {}}, poisson, thermal}), run(100)).velocity, exact, 5e-4);
}

TEST_CASE("sine potential, dichotomous and Gaussian noise: velocity of the master equation") {
  const double exact = reference::master_velocity(reference::sine_force(1, 1),
                                                  reference::DichotomousNoise::zero_mean(3, 1.6, 0.2), 0.1, 128);
  CHECK_EXACT(sample(make_model({{BM_POTENTIAL, "sine", {}}, dichotomous, thermal}), run(100)).velocity, exact, 2e-4);
}

TEST_CASE(
    "piecewise-linear potential, Poissonian and Gaussian noise: near-Gaussian increments are right at spp 100 and "
    "400") {
  const double exact = reference::master_velocity(reference::PiecewiseLinear{}, reference::PoissonNoise{1, 2.5}, 0.1);
  const Model model = make_model({{BM_POTENTIAL, "piecewise_linear", {}}, poisson, thermal});
  CHECK_EXACT(sample(model, run(100)).velocity, exact, 6e-4);
  CHECK_EXACT(sample(model, run(400, "gaussian")).velocity, exact, 6e-4);
}

TEST_CASE("piecewise-linear potential: three-point increments are wrong at a kink, by what docs/validation.md says") {
  const double exact = reference::master_velocity(reference::PiecewiseLinear{}, reference::PoissonNoise{1, 2.5}, 0.1);
  const Model model = make_model({{BM_POTENTIAL, "piecewise_linear", {}}, poisson, thermal});
  const Estimate v = sample(model, run(100, "three_point")).velocity;
  INFO(v.value, " +- ", v.error, ", exact ", exact);
  CHECK(deviation(v, exact) > 4);
}

TEST_CASE("piecewise-linear potential, dichotomous and Gaussian noise: velocity of the master equation") {
  const double exact = reference::master_velocity(reference::PiecewiseLinear{},
                                                  reference::DichotomousNoise::zero_mean(3, 1.6, 0.2), 0.1);
  CHECK_EXACT(sample(make_model({{BM_POTENTIAL, "piecewise_linear", {}}, dichotomous, thermal}), run(200)).velocity,
              exact, 3e-4);
}
