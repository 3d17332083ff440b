// Coupled steps: errors of the step, and steps chosen to a tolerance.
//
// Held to: coupled runs of two steps: the same paths where steps make no error; each with the law of an ordinary run,
// for every method, kicks, flips, coloured noise, drives, inertia; the error of the step against Stratonovich's v; a
// tolerance against the master equation; the same bits for any launches and batches. The check of the step beside a
// run: it changes no bit of the run, costs 5 % of its steps, gives what a run with longer steps gives, and sees errors
// that are there
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "engine/levels.h"
#include "measures.h"
#include "reference.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

RunOutcome coupled(const Model& model, RunOptions asked) {
  asked.step_error = true;
  return run(make_plan(model, {}, asked), {});
}

/// An ordinary run with a seed of its own.
RunOutcome ordinary(const Model& model, RunOptions asked, double dt) {
  asked.dt = dt;
  asked.seed = 77;
  asked.increments = "gaussian";
  return run(make_plan(model, {}, asked), {});
}

Model tilted_sine() { return make_model({{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"D", 0.5}}}}, 2); }
Model thermal_ratchet(double D) {
  return make_model({{BM_POTENTIAL, "piecewise_linear", {}},
                     {BM_NOISE, "poisson", {{"D", D}, {"a", 2.5}}},
                     {BM_NOISE, "gaussian", {{"D", 0.1}}}});
}
/// Everything that acts on a particle at once, with inertia.
Model everything() {
  return make_model(Inertial{0.5, 1.2, 0.3}, {{BM_POTENTIAL, "sine", {}},
                                              {BM_NOISE, "gaussian", {{"D", 0.4}}},
                                              {BM_NOISE, "dichotomous", {{"Fa", 1}, {"Fb", 2}, {"tau", 0.3}}},
                                              {BM_NOISE, "ornstein_uhlenbeck", {{"D", 0.5}, {"tau", 0.2}}},
                                              {BM_DRIVE, "cosine", {{"amplitude", 3}, {"omega", 5}}}});
}

}  // namespace

TEST_CASE("coupled: where a step makes no error, paths of both steps are the same") {
  const Model free = make_model({{BM_POTENTIAL, "free", {}},
                                 {BM_NOISE, "gaussian", {{"D", 0.7}}},
                                 {BM_NOISE, "poisson", {{"D", 1}, {"a", 2.5}}},
                                 {BM_NOISE, "dichotomous", {{"Fa", 1}, {"Fb", 2}, {"tau", 0.3}}},
                                 {BM_NOISE, "levy", {{"alpha", 1.5}, {"scale", 0.2}}}},
                                0.5);
  RunOptions asked = timed_run(0.1, 20, 0.1, 512);
  asked.precision = "double";
  asked.observables = {"velocity", {"moments", {{"count", {7}}}}};
  const RunOutcome free_run = coupled(free, asked);
  CHECK(std::abs(free_run.step_errors[0][0].value) < 1e-9);
  CHECK(free_run.step_errors[0][0].error < 1e-9);
  for (const Array& array : free_run.arrays)
    if (array.name == "x_cumulant_1_step")
      for (const double step : array.values) CHECK(std::abs(step) < 1e-8);
  const Model thermal =
      make_model(Inertial{0.5, 1.2, 0}, {{BM_POTENTIAL, "free", {}}, {BM_NOISE, "gaussian", {{"D", 0.7}}}});
  asked.observables = {{"moments", {{"count", {5}}}}};
  const RunOutcome thermal_run = coupled(thermal, asked);
  for (const Array& array : thermal_run.arrays)  // aboba's velocities are exact without forces
    if (array.name == "v_cumulant_2_step")
      for (const double step : array.values) CHECK(std::abs(step) < 1e-9);
}

TEST_CASE("coupled: both runs have the laws of ordinary ones, for every method and noise") {
  struct Case {
    std::string name;
    Model model;
    const char* method;
    double dt, time;
    ObservableRequest observable;
  };
  const Case cases[] = {{"sine, heun", tilted_sine(), "heun", 0.02, 50, "velocity"},
                        {"sine, euler", tilted_sine(), "euler", 0.02, 50, "velocity"},
                        {"kinks and kicks, platen", thermal_ratchet(1), "platen", 0.02, 300, "velocity"},
                        {"everything, aboba", everything(), "aboba", 0.1, 100, "velocity_squared"},
                        {"everything, heun", everything(), "heun", 0.1, 100, "velocity_squared"}};
  for (const Case& one : cases) {
    CAPTURE(one.name);
    RunOptions asked = timed_run(one.dt, one.time, 0.1, 6144);
    asked.method = one.method;
    asked.observables = {one.observable};
    asked.step_error = true;
    const Plan plan = make_plan(one.model, {}, asked);
    RunOutcome ignored;
    Levels levels(plan, 96, 1, {}, ignored);
    levels.run_pairs({{1, {64}}});
    const LevelSums& pairs = levels.at(1, 0);
    const Estimate coarse = pairs.coarse.at(0), fine = pairs.alone.at(0), changed = pairs.difference.at(0);
    asked.step_error = false;
    const Estimate coarse_alone = ordinary(one.model, asked, one.dt).estimates[0][0];
    const Estimate fine_alone = ordinary(one.model, asked, one.dt / 2).estimates[0][0];
    CHECK_EXACT(difference(coarse, coarse_alone), 0, 0.02 * std::abs(coarse.value));
    CHECK_EXACT(difference(fine, fine_alone), 0, 0.02 * std::abs(coarse.value));
    CHECK(changed.error < std::hypot(coarse_alone.error, fine_alone.error));
  }
}

TEST_CASE("step_error: it is what an exact result says, and what is extrapolated is right" *
          doctest::test_suite("quick")) {
  const auto exact = reference::stratonovich([](double x) { return std::sin(two_pi * x); }, 2, 0.5, 1);
  RunOptions asked = timed_run(0.005, 100, 0.1, 16384);
  const RunOutcome sine = coupled(tilted_sine(), asked);
  const Estimate step = sine.step_errors[0][0];
  CHECK(std::abs(step.value) > 5 * step.error);
  CHECK_EXACT(sine.extrapolated[0][0], exact.v, 0.002 * exact.v);
  CHECK_EXACT(difference(step, {sine.estimates[0][0].value - exact.v, sine.estimates[0][0].error}), 0, 0.002 * exact.v);
}

TEST_CASE("step_error: also where steps of two lengths cannot have the same noise") {
  struct Case {
    Model model;
    const char *method, *increments;
    double dt, local_error, exact;
    bool seen;  // whether the error of the step is above the noise
  };
  const double v = reference::stratonovich([](double x) { return std::sin(two_pi * x); }, 2, 0.5, 1).v;
  const Model jumps =
      make_model({{BM_POTENTIAL, "piecewise_linear", {}}, {BM_NOISE, "poisson", {{"D", 1}, {"a", 2.5}}}});
  for (const auto& [model, method, increments, dt, local_error, exact, seen] :
       {Case{tilted_sine(), "heun", "five_point", 0.01, 0, v, true},
        Case{tilted_sine(), "adaptive", "auto", 0.02, 0.02, v, false},
        Case{jumps, "paper", "auto", 0.0016, 0, reference::poisson_velocity(1, 2.5), true}}) {
    CAPTURE(std::string(method));
    RunOptions asked = timed_run(dt, 40, 0.1, 98304);
    asked.method = method;
    asked.increments = increments;
    if (local_error > 0) asked.local_error = local_error;
    const RunOutcome r = coupled(model, asked);
    const Estimate step = r.step_errors[0][0], whole = r.estimates[0][0];
    if (seen) CHECK(std::abs(step.value) > 5 * step.error);
    CHECK_EXACT(r.extrapolated[0][0], exact, 0.005);
    CHECK_EXACT(difference(step, {whole.value - exact, whole.error}), 0, 0.005);
  }
}

TEST_CASE("coupled: the same bits whatever launches, threads and batches are") {
  RunOptions asked = timed_run(0.05, 6, 0.1, 1000);
  asked.observables = {"velocity", {"density", {{"bins", {5}}, {"count", {7}}}}};
  for (const Model& model : {thermal_ratchet(1), everything()}) {
    const RunOutcome one = coupled(model, asked);
    RunOptions other = asked;
    other.chunk = 1;
    other.threads = 3;
    other.memory = 50000;
    const RunOutcome same = coupled(model, other);
    CHECK(same.batches > one.batches);
    CHECK(same.estimates[0][0].value == one.estimates[0][0].value);
    CHECK(same.step_errors[0][0].value == one.step_errors[0][0].value);
    for (size_t i = 0; i < one.arrays.size(); ++i) CHECK(same.arrays[i].values == one.arrays[i].values);
  }
}

TEST_CASE("tolerance: reached at every point, and the result is right") {
  const std::vector<double> D = {0.3, 1, 4};
  Sweep sweep;
  sweep.add_axis({"poisson.D"}, {D});
  RunOptions asked = options();
  asked.periods = 2000;
  asked.paths = 512;
  asked.limit = 1000000;
  asked.tolerances = {{"velocity", 0.02, 0}};
  const RunOutcome found = run(make_plan(thermal_ratchet(1), sweep, asked), {});
  for (size_t i = 0; i < D.size(); ++i) {
    CAPTURE(D[i]);
    const Estimate v = found.estimates[0][i], step = found.step_errors[0][i];
    const double exact =
        reference::master_velocity(reference::PiecewiseLinear{}, reference::PoissonNoise{D[i], 2.5}, 0.1);
    CHECK(found.reached[i]);
    CHECK(v.error <= 0.02 / std::sqrt(2.0) * std::abs(v.value));
    CHECK(std::abs(step.value) <= 0.02 / std::sqrt(2.0) * std::abs(v.value));
    CHECK_EXACT(found.extrapolated[0][i], exact, 0.03 * exact);
  }
  CHECK(found.choices[0].values[0] != found.choices[0].values[2]);
}

TEST_CASE("tolerance: one that cannot be reached stops at the limit") {
  RunOptions asked = options();
  asked.periods = 100;
  asked.paths = 256;
  asked.limit = 2000;
  asked.tolerances = {{"velocity", 1e-6, 0}};
  const RunOutcome found = run(make_plan(thermal_ratchet(1), {}, asked), {});
  CHECK(!found.reached[0]);
  CHECK(found.paths[0] <= 2000);
  CHECK(found.estimates[0][0].error > 0);
}

namespace {

RunOutcome checked(const Model& model, RunOptions run, bool check) {
  run.check_step = check;
  return bmsim::run(make_plan(model, {}, run), {});
}

}  // namespace

TEST_CASE("check of the step: it changes no bit of the run and costs at most 5 % of its steps" *
          doctest::test_suite("quick")) {
  for (const Model& model : {tilted_sine(), thermal_ratchet(1)}) {
    RunOptions run = timed_run(0.005, 200, 0.1, 4096);
    run.observables = {"velocity", "diffusion"};
    const RunOutcome with = checked(model, run, true), without = checked(model, run, false);
    for (size_t i = 0; i < 2; ++i) {
      CHECK(with.estimates[i][0].value == without.estimates[i][0].value);
      CHECK(with.estimates[i][0].error == without.estimates[i][0].error);
    }
    CHECK(with.steps == without.steps);
    CHECK(with.step_check.seen.size() == 2);
    CHECK(with.step_check.steps > 0.02 * with.steps);
    CHECK(with.step_check.steps <= 0.05 * with.steps);
    CHECK(without.step_check.seen.empty());
    CHECK(without.step_check.steps == 0);
  }
}

TEST_CASE("check of the step: it compares recordings, changes no bit of them, and costs as little with them" *
          doctest::test_suite("quick")) {
  for (const Model& model : {tilted_sine(), thermal_ratchet(1)}) {
    RunOptions run = timed_run(0.005, 201.3, 0.1, 4096);
    run.observables = {{"moments", {{"times", {0.5, 3.015, 201.3}}}}, {"density", {{"bins", {20}}}}, "paths"};
    const RunOutcome with = checked(model, run, true), without = checked(model, run, false);
    REQUIRE(with.arrays.size() == without.arrays.size());
    for (size_t i = 0; i < with.arrays.size(); ++i) {
      CAPTURE(with.arrays[i].name);
      for (size_t k = 0; k < with.arrays[i].values.size(); ++k) {
        const double one = with.arrays[i].values[k], other = without.arrays[i].values[k];
        REQUIRE((one == other || (std::isnan(one) && std::isnan(other))));
      }
    }
    CHECK(with.step_check.steps > 0.02 * with.steps);
    CHECK(with.step_check.steps <= 0.05 * with.steps);
    REQUIRE(with.step_check.seen.size() == 3);
    for (size_t i = 0; i < 3; ++i) {
      CHECK(with.step_check.seen[i].observable == i);
      CHECK(!with.step_check.seen[i].what.empty());
      CHECK_FALSE(with.step_check.seen[i].warned);
    }
  }
}

TEST_CASE("check of the step: points of a sweep of few paths take turns, so that it stays as cheap") {
  RunOptions run = timed_run(0.005, 600, 0.1, 256);
  Sweep sweep;
  std::vector<double> forces;
  for (int i = 0; i < 8; ++i) forces.push_back(1 + 0.1 * i);
  sweep.add_axis({"force"}, {forces});
  const RunOutcome outcome = bmsim::run(make_plan(tilted_sine(), sweep, run), {});
  CHECK(!outcome.step_check.seen.empty());
  CHECK(outcome.step_check.seen.size() < 8);
  CHECK(outcome.step_check.steps <= 0.05 * outcome.steps);
  // one check: how many points are seen depends on the lanes of the kernel
  CHECK(std::ranges::all_of(outcome.step_check.seen, [](const StepCheck::Seen& one) { return one.point < 8; }));
}

TEST_CASE("check of the step: points taken together show what no point shows alone") {
  RunOptions run = timed_run(0.008, 100, 0.2, 1024);
  Sweep sweep;
  std::vector<double> forces;
  for (int i = 0; i < 40; ++i) forces.push_back(2 + 0.01 * i);
  sweep.add_axis({"force"}, {forces});
  const StepCheck coarse = bmsim::run(make_plan(tilted_sine(), sweep, run), {}).step_check;
  REQUIRE(coarse.together.size() == 1);
  CHECK(coarse.together[0].points == coarse.seen.size());
  size_t alone = 0;
  for (const StepCheck::Seen& one : coarse.seen) alone += one.warned ? 1 : 0;
  CHECK(alone < coarse.seen.size() / 4);
  run.dt = 0.003;
  CHECK(bmsim::run(make_plan(tilted_sine(), sweep, run), {}).step_check.together.empty());
}

TEST_CASE("check of the step: an error that is known is seen with its size, and none where there is none") {
  const Model model = tilted_sine();
  const double exact = reference::stratonovich([](double x) { return std::sin(two_pi * x); }, 2, 0.5, 1).v;
  RunOptions run = timed_run(0.015, 100, 0.2, 16384);
  const RunOutcome coarse = checked(model, run, true);
  REQUIRE(coarse.step_check.seen.size() == 1);
  const StepCheck::Seen seen = coarse.step_check.seen[0];
  const Estimate v = coarse.estimates[0][0];
  CHECK(std::abs(v.value - exact) > 10 * v.error);  // it is there
  CHECK(seen.warned);
  CHECK(std::abs(seen.error) > 4 * seen.error_of_it);
  CHECK(std::abs(seen.error - (v.value - exact)) < 2 * seen.doubt);
  // nothing but the step differs from an ordinary run with twice the step
  run.dt = 0.03;
  run.seed = 7;
  const Estimate twice = checked(model, run, false).estimates[0][0];
  const Estimate difference{3 * seen.error, 3 * seen.error_of_it};
  CHECK_EXACT(difference, twice.value - v.value, 0.01);
  run.dt = 0.001;
  run.paths = 4096;
  const RunOutcome fine = checked(model, run, true);
  CHECK_FALSE(fine.step_check.seen[0].warned);
}

TEST_CASE("check of the step: an error that is the same for two steps by chance is seen by a third") {
  const auto slope = [](double x) { return std::sin(two_pi * x); };
  const double exact = reference::stratonovich(slope, 6, 0.05, 1).v;
  const Model model = make_model({{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"D", 0.05}}}}, 6);
  const RunOutcome coarse = checked(model, timed_run(0.015, 400, 0.1, 4096), true);
  const StepCheck::Seen& seen = coarse.step_check.seen.at(0);
  const Estimate v = coarse.estimates[0][0];
  CHECK(std::abs(v.value - exact) > 10 * v.error);  // it is there
  CHECK(seen.warned);
  CHECK(std::abs(seen.error - (v.value - exact)) < 2.5 * seen.doubt);
  CHECK(coarse.step_check.steps <= 0.05 * coarse.steps);
  const RunOutcome fine = checked(model, timed_run(0.0013, 100, 0.1, 1024), true);
  CHECK_FALSE(fine.step_check.seen.at(0).warned);
}

TEST_CASE("check of the step: of a step far too long the error that is told is in doubt" *
          doctest::test_suite("quick")) {
  const auto slope = [](double x) { return std::sin(two_pi * x); };
  for (const auto& [D, force, dt] : {std::array{0.3, 1.0, 0.02}, std::array{0.3, 1.0, 0.01},
                                     std::array{0.3, 1.0, 0.005}, std::array{0.5, 3.0, 0.01}}) {
    CAPTURE(dt);
    const double exact = reference::stratonovich(slope, force, D, 1).v;
    const Model model = make_model({{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"D", D}}}}, force);
    const RunOutcome outcome = checked(model, timed_run(dt, 200, 0.1, 4096), true);
    const StepCheck::Seen& seen = outcome.step_check.seen.at(0);
    const double error = outcome.estimates[0][0].value - exact;
    CHECK(std::abs(seen.error - error) < 2.5 * seen.doubt);
    CHECK(seen.doubt < std::abs(error) + 4 * seen.error_of_it);
  }
}

TEST_CASE("check of the step where no path scatters: an error of more than a hundredth of the value is told") {
  // x' = -x + cos(t) from x = 0: all paths are the same
  const Model model = make_model({{BM_POTENTIAL, "harmonic", {}}, {BM_DRIVE, "cosine", {}}});
  RunOptions run = timed_run(0.02, 62.83, 0.5, 96);
  run.observables = {{"average", {}, {{"x2", "x^2"}}}};
  for (const double dt : {0.02, 0.8}) {
    run.dt = dt;
    const RunOutcome outcome = checked(model, run, true);
    CHECK(outcome.estimates[0][0].error == 0);
    REQUIRE(outcome.step_check.seen.size() == 1);
    const StepCheck::Seen& seen = outcome.step_check.seen[0];
    CHECK_FALSE(seen.scatters);
    CHECK(seen.allowed == doctest::Approx(0.01 * outcome.estimates[0][0].value));
    CHECK(seen.warned == (dt > 0.1));
    if (!seen.warned) CHECK(outcome.estimates[0][0].value == doctest::Approx(0.25).epsilon(0.002));
  }
}

TEST_CASE("step_error: beyond the asymptotic regime nothing is extrapolated, and a warning says so") {
  RunOptions run = timed_run(0.02, 100, 0.2, 2048);
  run.step_error = true;
  const Model steep = make_model({{BM_POTENTIAL, "sine", {{"V0", 5}}}, {BM_NOISE, "gaussian", {{"D", 0.5}}}}, 10);
  const RunOutcome outcome = bmsim::run(make_plan(steep, {}, run), {});
  CHECK(std::isnan(outcome.extrapolated[0][0].value));
  REQUIRE(outcome.warnings.size() == 1);
  CHECK(outcome.warnings[0].find("velocity_extrapolated is nan") != std::string::npos);
}
