// Runs that go on until errors are small enough, and transients that are found.
//
// Held to: Stratonovich's v at targets of errors; an inertial particle's decay, whose transient is found
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "../unit/message_of.h"
#include "engine/run.h"
#include "measures.h"
#include "reference.h"
#include "systems.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

constexpr double two_pi = 2 * std::numbers::pi;

Model tilted(double F) { return make_model({{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"D", 0.5}}}}, F); }

RunOptions timed(double time, uint64_t paths) { return timed_run(0.002, time, 0.1, paths); }

RunOutcome over_force(const RunOptions& asked, std::vector<double> forces) {
  Sweep sweep;
  sweep.add_axis({"force"}, {std::move(forces)});
  return run(make_plan(tilted(0), sweep, asked), {});
}

}  // namespace

TEST_CASE("target: paths are added where they are needed, until the error is reached, and the mean is right" *
          doctest::test_suite("quick")) {
  const std::vector<double> forces = {0.5, 2, two_pi};
  RunOptions asked = timed(20, 768);
  asked.observables = {"velocity", {"density", {{"bins", {10}}, {"count", {20}}}}};
  const RunOutcome plain = over_force(asked, forces);
  asked.targets = {{"velocity", 0.01, 0}};
  asked.limit = 300000;
  const RunOutcome more = over_force(asked, forces);
  for (size_t i = 0; i < forces.size(); ++i) {
    CAPTURE(forces[i]);
    const Estimate v = more.estimates[0][i];
    const auto exact = reference::stratonovich([](double x) { return std::sin(two_pi * x); }, forces[i], 0.5, 1);
    CHECK(more.reached[i]);
    CHECK(v.error <= 0.01 * std::abs(v.value));
    CHECK_EXACT(v, exact.v, 0.011 * exact.v);
    CHECK(more.paths[i] % asked.paths == 0);
    const bool enough = plain.estimates[0][i].error <= 0.01 * std::abs(plain.estimates[0][i].value);
    CHECK((more.paths[i] == asked.paths) == enough);
    if (enough) CHECK(v.value == plain.estimates[0][i].value);
    double sum = 0;  // arrays are means over the shares: a density stays one
    for (size_t bin = 0; bin < 10; ++bin) sum += more.arrays[0].values[i * 10 + bin] / 10;
    CHECK(sum == doctest::Approx(1));
  }
  CHECK(more.paths[0] > more.paths[2]);
}

TEST_CASE("target: the same bits whatever launches, threads and batches are, and shares are independent") {
  RunOptions asked = timed(5, 100);
  asked.targets = {{"velocity", 0, 0.02}, {"diffusion", 0.05, 0}};
  asked.observables = {"velocity", "diffusion"};
  const RunOutcome once = over_force(asked, {1, 5});
  asked.chunk = 130;
  asked.threads = 1;
  asked.memory = 5000;
  const RunOutcome again = over_force(asked, {1, 5});
  CHECK(again.batches > once.batches);
  for (size_t column = 0; column < 2; ++column)
    for (size_t point = 0; point < 2; ++point) {
      CHECK(again.estimates[column][point].value == once.estimates[column][point].value);
      CHECK(again.estimates[column][point].error == once.estimates[column][point].error);
    }
}

TEST_CASE("target: a limit ends a run that cannot reach it, and says where") {
  RunOptions asked = timed(2, 100);
  asked.targets = {{"velocity", 0.01, 0}};
  asked.limit = 1050;
  const RunOutcome outcome = over_force(asked, {0, 60});
  CHECK_FALSE(outcome.reached[0]);
  CHECK(outcome.paths[0] == 1000);  // whole shares
  CHECK(outcome.reached[1]);
}

TEST_CASE("target: ensembles that do not know their error are refused, with the number that would do") {
  RunOptions asked = timed(2, 4);
  asked.observables = {"velocity", "diffusion", "non_gaussianity"};
  asked.targets = {{"diffusion", 0.05, 0}};
  CHECK(message_of([&] { over_force(asked, {5}); }) ==
        "run: target: diffusion needs paths >= 64, since a smaller ensemble does not know its error; got 4");
  asked.paths = 1024;
  asked.targets = {{"non_gaussianity", 0, 1}};
  CHECK(message_of([&] { over_force(asked, {5}); }).starts_with("run: target: non_gaussianity needs paths >= 4096"));
}

TEST_CASE("target: no error is looked at before 1024 paths, or the limit") {
  RunOptions asked = timed(2, 64);
  asked.targets = {{"velocity", 0, 1}};
  CHECK(over_force(asked, {5}).paths[0] == 1024);
  asked.limit = 200;
  CHECK(over_force(asked, {5}).paths[0] == 192);
}

TEST_CASE("MSER: cuts what is not stationary, and nothing else") {
  std::vector<double> series;
  for (int i = 0; i < 100; ++i) series.push_back((i < 20 ? 20 - i : 0) + 0.1 * ((i * 37) % 11 - 5));
  CHECK(mser(series) >= 18);
  CHECK(mser(series) <= 22);
  CHECK(mser(std::vector<double>(50, 3.0)) == 0);
  std::vector<double> drift;
  for (int i = 0; i < 100; ++i) drift.push_back(i);
  CHECK(mser(drift) == 50);  // half of it: too short to tell
}

TEST_CASE("transient: what is found takes an initial velocity's decay out of the mean") {
  // d<v>/dt = -gamma <v>: without a transient the mean would be 40/gamma/time = 1 too large, 10 % of the run leaves
  // 0.02
  const Model model = make_model({.mass = 1, .gamma = 0.4}, {{BM_NOISE, "gaussian", {{"T", 1.0}}}});
  RunOptions asked = timed(100, 4096);
  asked.dt = 0.02;
  asked.starts["v"] = StartLaw{40, 0, 1, 0};
  asked.find_transient = true;
  Plan plan = make_plan(model, {}, asked);
  CHECK(find_transients(plan, {}).empty());
  const double found = plan.points[0].facts.transient;
  CAPTURE(found);
  CHECK(found > 5);
  CHECK(found < 40);
  const RunOutcome outcome = run(plan, {});
  CHECK_EXACT(outcome.estimates[0][0], 0, 0.006);
  CHECK(40 / 0.4 / (100 - found) * std::exp(-0.4 * found) < 0.5 * outcome.estimates[0][0].error);
}

TEST_CASE("transient of a system: that of its slowest variable, whatever it is called") {
  // q forgets its start in a time of 10, p in one of 1; nothing is called x
  const Model model = make_system({.variables = {{"p", true}, {"q"}},
                                   .equations = {{"p", "-p"}, {"q", "-0.1*q"}},
                                   .parts = {{"p", BM_NOISE, "gaussian", {{"T", 1.0}}, "of_p"},
                                             {"q", BM_NOISE, "gaussian", {{"D", 0.1}}, "of_q"}}});
  RunOptions asked = timed(400, 512);
  asked.dt = 0.05;
  asked.starts["q"] = StartLaw{40, 0, 0, 0};
  asked.find_transient = true;
  Plan plan = make_plan(model, {}, asked);
  CHECK(find_transients(plan, {}).empty());
  CHECK(plan.points[0].facts.transient > 20);
  CHECK(plan.points[0].facts.transient < 150);
}
