// Currents of the founding paper's Fig. 3 against their closed forms, with an error that would show each mistake listed
// in docs/validation.md: 0.1 % for Poissonian noise.
#include <doctest/doctest.h>

#include <cmath>

#include "ensemble.h"
#include "reference.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

Model poissonian(double D, double a) {
  return make_model({{BM_POTENTIAL, "piecewise_linear", {}}, {BM_NOISE, "poisson", {{"D", D}, {"a", a}}}});
}

RunOptions steps(uint64_t paths, double periods, double spp) {
  RunOptions run = options();
  run.paths = paths;
  run.periods = periods;
  run.spp = spp;
  return run;
}

}  // namespace

TEST_CASE("Poissonian current matches the exact result to 0.1 % at D = 0.3, 1, 3 for a = 1.5 and 2.5") {
  // Paths enough for the resolution: its square times their windows is 2 D_eff / v^2.
  for (const auto& [D, a, paths] : {std::tuple{0.3, 2.5, 294912},
                                    {1.0, 2.5, 98304},
                                    {3.0, 2.5, 98304},
                                    {0.3, 1.5, 55296},
                                    {1.0, 1.5, 24576},
                                    {3.0, 1.5, 24576}}) {
    CAPTURE(D);
    CAPTURE(a);
    const double exact = reference::poisson_velocity(D, a);
    CHECK_EXACT(sample(poissonian(D, a), steps(fewer_in_ci(static_cast<uint64_t>(paths)), 1000, 400)).velocity, exact,
                coarseness() * 0.0011 * exact);
  }
}

TEST_CASE("Poissonian current in double precision matches the exact result" * doctest::test_suite("quick")) {
  RunOptions run = steps(12288, 1000, 200);
  run.precision = "double";
  CHECK_EXACT(sample(poissonian(1, 2.5), run).velocity, reference::poisson_velocity(1, 2.5), 0.0015);
}

TEST_CASE("exact jump times leave a step error below 1 % even at 25 steps per interval") {
  for (const std::string method : {"heun", "platen"}) {
    CAPTURE(method);
    RunOptions run = steps(49152, 4000, 25);
    run.method = method;
    const double exact = reference::poisson_velocity(1, 2.5);
    const Estimate v = sample(poissonian(1, 2.5), run).velocity;
    CHECK(v.error < 0.001 * exact);
    CHECK_NEAR(v.value, exact, 0.01 * exact);
  }
}

TEST_CASE(
    "several jumps within one step: the current at 1 step per interval of a fast noise is that of its step error") {
  // Two Poissonian noises; dt follows the slower clock, given by hand, so that the fast one jumps five times in a step.
  const Model model = make_model({{BM_NOISE, "poisson", {{"lambda", 500}, {"zeta", 0.01}}, "fast"},
                                  {BM_NOISE, "poisson", {{"lambda", 5}, {"zeta", 0.1}}, "slow"}});
  RunOptions run = options();
  run.paths = 98304;
  run.dt = 0.01;
  run.time = 10;
  const Sample free = sample(model, run);
  CHECK_EXACT(free.velocity, 0, 0.002);
  CHECK_EXACT(free.diffusion, 500 * 1e-4 + 5 * 1e-2, 0.001);
}

TEST_CASE("dichotomous current matches the exact result, with its sign, for (Fb, tau) of the validation table") {
  for (const auto& [Fb, tau, paths] :
       {std::tuple{1.6, 0.05, 49152}, {1.6, 0.2, 24576}, {1.1, 0.2, 24576}, {1.1, 1.0, 24576}}) {
    CAPTURE(Fb);
    CAPTURE(tau);
    const Model model = make_model(
        {{BM_POTENTIAL, "piecewise_linear", {}}, {BM_NOISE, "dichotomous", {{"Fa", 3.0}, {"Fb", Fb}, {"tau", tau}}}});
    const double exact = reference::dichotomous_velocity(3, Fb, tau);
    CHECK(exact < 0);
    CHECK_EXACT(sample(model, steps(static_cast<uint64_t>(paths), 1000, 200)).velocity, exact, 4e-4);
  }
}

TEST_CASE("positions are folded: 10^5 periods in single precision do not bend the current") {
  const double exact = reference::poisson_velocity(1, 2.5);
  CHECK_EXACT(sample(poissonian(1, 2.5), steps(192, 100000, 100)).velocity, exact, 0.003 * exact);
}
