// What must hold whatever the numbers are: no current in equilibrium, mirror images, shifts, units of time, equal
// noises in other words.
//
// Held to: no current in a ratchet in equilibrium, over- and underdamped, to ± 2.5·10⁻⁴ of the thermal velocity, on
// a GPU to ± 10⁻⁴; v(−F) = −v(F); shifts of the
// potential; bit for bit: units of time, parametrisations
#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

#include "measures.h"
#include "model/formula_plugin.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

const Part teeth{BM_POTENTIAL, "ratchet", {{"V0", 0.3}, {"b", 0.4}}}, bath{BM_NOISE, "gaussian", {{"D", 1.0}}};

RunOptions timed(double dt, double time, uint64_t paths, uint64_t seed = 1) {
  RunOptions run = timed_run(dt, time, 0.1, paths);
  run.seed = seed;
  return run;
}

/// V = sin 2 pi (x + 0.3), written out.
Model shifted(double force) {
  Model model = make_model({bath}, force);
  const std::vector<std::string> names = {"L"};
  model.add(formula_plugin(BM_POTENTIAL, "sin(2*pi*(x/L + 0.3))", names), "");
  model.set("formula.L", 1);
  return model;
}

}  // namespace

TEST_CASE("detailed balance: no current in a ratchet in equilibrium") {
  // in units of the thermal velocity: D/L of the overdamped particle, sqrt(T/m) of the inertial one
  const double resolution = 1e-4 * coarseness();
  CHECK_EXACT(sample(make_model({teeth, bath}), timed(0.002, 1200, fewer_in_ci(196608))).velocity, 0, resolution);
  CHECK_EXACT(sample(make_model({.mass = 1, .gamma = 1.5}, {teeth, {BM_NOISE, "gaussian", {{"T", 1.0}}}}),
                     timed(0.02, 2000, fewer_in_ci(98304)))
                  .velocity,
              0, resolution);
}

TEST_CASE("mirror: v(-F) = -v(F) under noises without a direction in a symmetric potential") {
  const auto model = [](double F) {
    return make_model({{BM_POTENTIAL, "piecewise_linear", {{"V0", 0.5}}},
                       {BM_NOISE, "poisson", {{"lambda", 3.0}, {"zeta", 0.3}}, "", {{"law", "two_sided"}}},
                       {BM_NOISE, "dichotomous", {{"Fa", 1.0}, {"Fb", 1.0}, {"tau", 0.4}}}},
                      F);
  };
  const Estimate right = sample(model(0.8), timed(0.002, 100, 12288)).velocity;
  const Estimate left = sample(model(-0.8), timed(0.002, 100, 12288, 2)).velocity;
  CHECK(right.value > 100 * right.error);
  CHECK_EXACT(difference(right, {-left.value, left.error}), 0, 0.003);
}

TEST_CASE("translation: a shifted potential has the same current") {
  const Part wave{BM_POTENTIAL, "sine", {}};
  const Estimate here = sample(make_model({wave, bath}, 4), timed(0.002, 100, 24576)).velocity;
  const Estimate there = sample(shifted(4), timed(0.002, 100, 24576, 2)).velocity;
  CHECK_EXACT(difference(here, there), 0, 0.002);
}

TEST_CASE("units of time: four times all energies and rates, a quarter of the time: the same paths bit for bit" *
          doctest::test_suite("quick")) {
  const auto model = [](double c) {
    return make_model({{BM_POTENTIAL, "sine", {{"V0", c}}},
                       {BM_NOISE, "gaussian", {{"D", 0.5 * c}}},
                       {BM_NOISE, "poisson", {{"lambda", 2 * c}, {"zeta", 0.25}}},
                       {BM_DRIVE, "cosine", {{"amplitude", 2 * c}, {"omega", 3 * c}}}},
                      3 * c);
  };
  const Sample slow = sample(model(1), timed(1.0 / 256, 20, 768)), fast = sample(model(4), timed(1.0 / 1024, 5, 768));
  CHECK(fast.end == slow.end);
  CHECK(fast.velocity.value == 4 * slow.velocity.value);
  CHECK(fast.diffusion.value == 4 * slow.diffusion.value);
}

TEST_CASE("a noise in other words is the same noise, bit for bit" * doctest::test_suite("quick")) {
  const Part ramp{BM_POTENTIAL, "piecewise_linear", {}};
  const auto end = [&](const Part& noise) { return sample(make_model({ramp, noise}), timed(0.005, 20, 768)).end; };
  // D = lambda zeta^2, a = lambda zeta
  CHECK(end({BM_NOISE, "poisson", {{"lambda", 4.0}, {"zeta", 0.5}}}) ==
        end({BM_NOISE, "poisson", {{"D", 1.0}, {"a", 2.0}}}));
  // mu_a = mu_b = 1 / (2 tau)
  CHECK(end({BM_NOISE, "dichotomous", {{"Fa", 2.0}, {"Fb", 2.0}, {"tau", 0.5}}}) ==
        end({BM_NOISE, "dichotomous", {{"Fa", 2.0}, {"Fb", 2.0}, {"mu_a", 1.0}, {"mu_b", 1.0}}}));
}
