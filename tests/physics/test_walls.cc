// Walls that reflect.
//
// Held to: a box: uniform density, of several variables and under kicks, and no leak; sedimentation, V = x above a
// wall: moments of exp(-x/D); a harmonic trap cut in half: <x>, <x^2>; with inertia: Boltzmann's and Maxwell's laws
// above a wall; diffusion of a free particle from a wall: <x> = sqrt(4 D t/pi); noise with an amplitude between walls:
// its law in three interpretations
#include <doctest/doctest.h>

#include <cmath>

#include "measures.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

struct Results {
  Plan plan;
  RunOutcome outcome;

  Results(const Model& model, RunOptions run, std::vector<ObservableRequest> observables) {
    run.observables = std::move(observables);
    plan = make_plan(model, Sweep(), run);
    outcome = bmsim::run(plan, {});
  }
  Estimate column(const std::string& name) const { return outcome.estimates[plan.column(name)][0]; }
  const Array& array(const std::string& name) const {
    const auto found = std::ranges::find(outcome.arrays, name, &Array::name);
    REQUIRE_MESSAGE(found != outcome.arrays.end(), name);
    return *found;
  }
  Estimate element(const std::string& name, size_t i) const {
    return {array(name).values[i], array(name + "_err").values[i]};
  }
};

ObservableRequest average(std::map<std::string, std::string> formulas) { return {"average", {}, std::move(formulas)}; }

void begin(RunOptions& run, const std::string& variable, double x) { run.starts[variable] = StartLaw{x, 0, 0, 0}; }

Model walled(Model model, const char* from, const char* to) {
  model.add_walls("x", from, to, {});
  return model;
}
Model heated(double D, double force = 0) { return make_model({{BM_NOISE, "gaussian", {{"D", D}}}}, force); }

}  // namespace

TEST_CASE("a box is filled evenly, with long steps and with kicks, and nothing leaks" * doctest::test_suite("quick")) {
  const Part heat{BM_NOISE, "gaussian", {{"D", 0.5}}},
      kicks{BM_NOISE, "poisson", {{"D", 0.2}, {"lambda", 2.0}}, "", {{"law", "two_sided"}}};
  for (const bool kicked : {false, true}) {
    CAPTURE(kicked);
    const Model model = kicked ? make_model({heat, kicks}) : make_model({heat});
    RunOptions run = timed_run(kicked ? 0.005 : 0.05, 12, 0.5, 50000);
    begin(run, "x", 0.4);
    const Results of(walled(model, "-1", "1"), run,
                     {average({{"x", "x"}, {"x2", "x^2"}}),
                      {"density", {{"bins", {8}}, {"range", {-1, 1}}, {"count", {4}}}},
                      {"paths", {{"paths", {50000}}, {"count", {4}}}}});
    CHECK_EXACT(of.column("x2"), 1.0 / 3, 0.002);
    for (const size_t bin : {0, 3, 7}) CHECK_EXACT(of.element("density", bin), 0.5, 0.005);
    for (const double x : of.array("paths_x").values) REQUIRE(std::abs(x) <= 1);
  }
}

TEST_CASE("sedimentation: the law above a wall" * doctest::test_suite("quick")) {
  const double D = 0.5;
  for (const double force : {-1.0, 1.0}) {  // a wall below, and one above
    CAPTURE(force);
    RunOptions run = timed_run(0.005, 16, 0.5, 100000);
    begin(run, "x", -force / 2);
    const Results of(walled(heated(D, force), force < 0 ? "0" : "", force < 0 ? "" : "0"), run,
                     {average({{"x", "x"}, {"x2", "x^2"}})});
    CHECK_EXACT(of.column("x"), -force * D, 0.002);
    CHECK_EXACT(of.column("x2"), 2 * D * D, 0.005);
  }
  // the same force as an equation of a system, beside another variable that it depends on
  const Model system = make_system(
      {.variables = {{"y"}, {"x"}},
       .equations = {{"y", "-y"}, {"x", "-1 + 0*y"}},
       .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}, "bath"}, {"y", BM_NOISE, "gaussian", {{"D", D}}, "other"}}},
      [](Model& model) { model.add_walls("x", "0", "", {}); });
  RunOptions run = timed_run(0.005, 16, 0.5, 50000);
  begin(run, "x", 0.5);
  begin(run, "y", 0);
  const Results of(system, run, {average({{"x", "x"}, {"y2", "y^2"}})});
  CHECK_EXACT(of.column("x"), D, 0.003);
  CHECK_EXACT(of.column("y2"), D, 0.005);
}

TEST_CASE("half of a harmonic trap" * doctest::test_suite("quick")) {
  const double D = 0.5;
  const Model model = make_system(
      {.variables = {{"x"}}, .equations = {{"x", "-x"}}, .parts = {{"x", BM_NOISE, "gaussian", {{"D", D}}, "bath"}}},
      [](Model& m) { m.add_walls("x", "0", "", {}); });
  RunOptions run = timed_run(0.01, 16, 0.5, 100000);
  begin(run, "x", 0.5);
  const Results of(model, run, {average({{"x", "x"}, {"x2", "x^2"}})});
  CHECK_EXACT(of.column("x"), std::sqrt(2 * D / 3.14159265358979), 0.002);
  CHECK_EXACT(of.column("x2"), D, 0.003);
}

TEST_CASE("diffusion away from a wall" * doctest::test_suite("quick")) {
  const double D = 0.5, time = 2;
  RunOptions run = timed_run(0.02, time, 0, 200000);
  begin(run, "x", 0);
  const Results of(walled(heated(D), "0", ""), run, {{"moments", {{"times", {time}}}}});
  CHECK_EXACT(of.element("x_cumulant_1", 0), std::sqrt(4 * D * time / 3.14159265358979), 0.005);
}

TEST_CASE("with inertia: the laws of Boltzmann and of Maxwell above a wall" * doctest::test_suite("quick")) {
  const double T = 0.5, m = 0.8;
  Model model = make_model(Inertial{m, 0.7, -1}, {{BM_NOISE, "gaussian", {{"T", T}}}});
  model.add_walls("x", "0", "", {});
  RunOptions run = timed_run(0.02, 40, 0.5, 50000);
  begin(run, "x", 0.5);
  const Results of(model, run, {average({{"x", "x"}}), {"velocity_squared"}});
  CHECK_EXACT(of.column("x"), T, 0.003);
  CHECK_EXACT(of.column("velocity_squared"), T / m, 0.003);
}

TEST_CASE("noise with an amplitude between walls: its law in three interpretations" * doctest::test_suite("quick")) {
  // b = 1 + x/2 between 0 and 1, no force: p ~ b^(2 alpha - 2)
  for (const auto& [word, alpha] :
       {std::pair("ito", 0.0), std::pair("stratonovich", 0.5), std::pair("anti_ito", 1.0)}) {
    const std::string interpretation = word;
    CAPTURE(interpretation);
    Model model = heated(0.5);
    model.add_amplitude("gaussian", {"1 + x/2"}, {});
    model.set_interpretation(word);
    model.add_walls("x", "0", "1", {});
    RunOptions run = timed_run(0.001, 6, 0.5, 20000);
    begin(run, "x", 0.5);
    double mean = 0, all = 0;
    for (int i = 0; i < 10000; ++i) {
      const double x = (i + 0.5) / 10000, p = std::pow(1 + x / 2, 2 * alpha - 2);
      mean += x * p, all += p;
    }
    CHECK_EXACT(Results(model, run, {average({{"x", "x"}})}).column("x"), mean / all, 0.002);
  }
}
