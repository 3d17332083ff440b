// Method exact with white noise: against the stationary master equation and closed forms, for every noise that it
// knows.
//
// Held to: `method = "exact"` with Gaussian noise against the stationary master equation at random models of 3 to 9
// nodes, with D_G from 10⁻³ to 100, alone and with Poissonian noise of every law, dichotomous and three-state noise as
// forces and modulating V; diffusion coefficients of Stratonovich and of free particles; both precisions
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "engine/exact.h"
#include "exact_cases.h"
#include "measures.h"
#include "theory_cases.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

/// The model with Gaussian noise.
Model heated(Model model, double D) {
  model.add(BM_NOISE, "gaussian", "");
  model.set("gaussian.D", D);
  return model;
}

RunOptions walk(uint64_t paths, double time) {
  RunOptions run = options();
  run.method = "exact";
  run.paths = paths;
  run.time = time;
  return run;
}

/// Numbers that a seed gives.
struct Random {
  std::mt19937_64 words;
  double between(double low, double high) { return low + (high - low) * static_cast<double>(words() >> 11) * 0x1p-53; }
};

/// A model of the class. kinds: mask of its noises with events, Poissonian (1), dichotomous (2), three-state (4);
/// flashes (8): the dichotomous noise modulates V.
Model random_model(Random& random, unsigned kinds, const char* law, size_t nodes, double D) {
  std::vector<double> x, V;
  for (size_t i = 0; i < nodes; ++i) {
    x.push_back((static_cast<double>(i) + random.between(0.1, 0.9)) / static_cast<double>(nodes));
    V.push_back(random.between(0, 1));
  }
  Model model = heated(make_model({{BM_POTENTIAL, "piecewise_linear", {{"L", 1.0}}, "", {}, {{"x", x}, {"V", V}}}}), D);
  model.set("force", random.between(-1, 1));
  model.set("piecewise_linear.V0", random.between(0.2, 1));
  if (kinds & 1) {
    model.add(BM_NOISE, "poisson", "");
    model.set_choice("poisson.law", law);
    model.set("poisson.lambda", random.between(0.5, 8));
    model.set("poisson.zeta", random.between(0.05, 0.4));
    if (std::string_view(law) == "gaussian") model.set("poisson.sigma", random.between(0.05, 0.3));
  }
  if (kinds & 2) {
    model.add(BM_NOISE, "dichotomous", "");
    for (const char* depth : {"Fa", "Fb"})
      model.set(fmt::format("dichotomous.{}", depth), random.between(0.3, 1) * (kinds & 8 ? 1 : 3));
    model.set("dichotomous.tau", random.between(0.1, 1));
    if (kinds & 8) model.modulate("dichotomous");
  }
  if (kinds & 4) {
    model.add(BM_NOISE, "three_state", "");
    model.set("three_state.F", random.between(0.5, 2));
    model.set("three_state.q", random.between(0.1, 0.45));
    model.set("three_state.nu", random.between(0.5, 5));
  }
  return model;
}

/// Against the master equation, with about `events` events.
void check_velocity(const Model& model, double D, const char* precision, double events) {
  const double rate = 5 * tick_rate(model, evaluate(model));
  RunOptions run = walk(16384, std::max(events / rate / 16384, 40.0));
  run.precision = precision;
  run.transient = 0.5;
  const double scatter = std::sqrt(2 * (D + 1) / (0.5 * *run.time * 16384));
  CHECK_EXACT(sample(model, run).velocity, theory_of("master", model).at(0), 2 * scatter);
}

}  // namespace

TEST_CASE("walk: the paper's particle with thermal noise, and Gaussian noise alone" * doctest::test_suite("quick")) {
  for (const double D : {0.001, 0.1, 1.0}) {
    CAPTURE(D);
    const Model model = heated(make_model({ramp, kicks}), D);
    CHECK_EXACT(sample(model, walk(98304, 48)).velocity, theory_of("master", model).at(0), 0.0015);
  }
  const Model tilted = heated(make_model({ramp}, 0.5), 0.3);
  const Sample moved = sample(tilted, walk(49152, 100));
  const std::vector<double> exact = theory_of("stratonovich", tilted);
  CHECK_EXACT(moved.velocity, exact.at(0), 0.0004);
  CHECK_EXACT(moved.diffusion, exact.at(1), 0.0025);
}

TEST_CASE("walk: random models of every kind") {
  Random random{std::mt19937_64(11)};
  const char* const laws[] = {"exponential", "constant", "gaussian", "two_sided", "uniform"};
  for (unsigned set = 0; set < 20; ++set) {
    const unsigned kinds = set < 16 ? set : 1;
    if ((kinds & 8) && !(kinds & 2)) continue;
    const char* const law = set < 16 ? laws[0] : laws[set - 15];
    const double D = std::pow(10, law == laws[0] ? random.between(-3, 2) : random.between(-1, 1));
    const size_t nodes = 3 + set % 7;
    CAPTURE(kinds);
    CAPTURE(law);
    CAPTURE(nodes);
    CAPTURE(D);
    check_velocity(random_model(random, kinds, law, nodes, D), D, set % 3 == 2 ? "double" : "single", 1e7);
  }
}

TEST_CASE("walk: free particles have the diffusion of all their noises, and a force moves them") {
  const Model free = heated(make_model({{BM_POTENTIAL, "free", {}}, kicks}, 0.7), 0.3);
  const Sample moved = sample(free, walk(98304, 30));
  CHECK_EXACT(moved.velocity, 0.7, 0.002);
  CHECK_EXACT(moved.diffusion, 1.3, 0.01);
}

TEST_CASE("walk: a short window has many ticks, too") {
  RunOptions brief = walk(393216, 20);
  brief.transient = 0.75;
  const Model model = heated(make_model({ramp, kicks}), 0.1);
  const Sample moved = sample(model, brief);
  CHECK_EXACT(moved.velocity, theory_of("master", model).at(0), 0.002);
}
