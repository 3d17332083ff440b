// Absolute negative mobility: an inertial, driven particle in a symmetric potential moves against a small bias.
// L. Machura, M. Kostur, P. Talkner, J. Luczka, P. Haenggi, PRL 98, 040601 (2007):
//   x'' + gamma x' = -V'(x) + a cos(omega t) + f + sqrt(2 gamma D) xi(t),  V = sin 2 pi x
//
// Held to: absolute negative mobility (Machura et al., PRL 98, 040601): ⟨v⟩ against f at f = 0.05 and 0.1, by more than
// 4 standard errors, mirrored at −f, positive at 0.3; the same with `heun` and with half the step; the observable:
// slope of Stratonovich's velocity, 1 for a free particle
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "measures.h"
#include "reference.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

/// At the paper's numbers; D is the temperature. A quarter of 2000 periods of the drive is transient.
Estimate velocity(double f, const char* method = "auto", double spp = 200) {
  const Model model = make_model(Inertial{1, 0.9, f}, {{BM_POTENTIAL, "sine", {}},
                                                       {BM_NOISE, "gaussian", {{"T", 0.001}}},
                                                       {BM_DRIVE, "cosine", {{"amplitude", 4.2}, {"omega", 4.9}}}});
  RunOptions run = options();
  run.paths = 3072;
  run.periods = 2000;
  run.spp = spp;
  run.transient = 0.25;
  run.starts["x"] = StartLaw{0, 1, 0, 0};
  run.starts["v"] = StartLaw{0, 4, 0, 0};
  run.random_phases = true;
  run.method = method;
  return sample(model, run).velocity;
}

Estimate sum(const Estimate& a, const Estimate& b) { return {a.value + b.value, std::hypot(a.error, b.error)}; }

}  // namespace

TEST_CASE("absolute negative mobility: <v> opposes a small force by more than 4 standard errors, either way") {
  for (const double f : {0.05, 0.1}) {
    const Estimate right = velocity(f), left = velocity(-f);
    CAPTURE(f);
    CHECK(right.value < -4 * right.error);
    CHECK(left.value > 4 * left.error);
    CHECK_EXACT(sum(right, left), 0, 0.0006);
  }
}

TEST_CASE("absolute negative mobility does not depend on the integrator, nor on the step") {
  const Estimate aboba = velocity(0.1), heun = velocity(-0.1, "heun", 400), fine = velocity(-0.1, "aboba", 400);
  CHECK(aboba.error < 0.03 * std::abs(aboba.value));
  CHECK_EXACT(sum(aboba, heun), 0, 0.0006);
  CHECK_EXACT(sum(aboba, fine), 0, 0.0006);
}

TEST_CASE("without a bias there is no current, and a large one is followed" * doctest::test_suite("quick")) {
  CHECK_EXACT(velocity(0), 0, 0.0005);
  const Estimate pushed = velocity(0.3);
  CHECK(pushed.value > 4 * pushed.error);
}

TEST_CASE("mobility: the slope of Stratonovich's velocity, with a fraction of the error of two separate runs") {
  const auto exact = [](double F) {
    return reference::stratonovich([](double x) { return std::sin(2 * std::numbers::pi * x); }, F, 0.5, 1).v;
  };
  RunOptions asked = options();
  asked.dt = 0.002;
  asked.time = 40;
  asked.paths = 6144;
  asked.observables = {"velocity", {"mobility", {{"df", {0.5}}}}};
  Sweep sweep;
  sweep.add_axis({"force"}, {{0, 3, 6}});
  const Model model = make_model({{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"D", 0.5}}}});
  const RunOutcome outcome = run(make_plan(model, sweep, asked), {});
  for (size_t i = 0; i < 3; ++i) {
    const double F = 3.0 * static_cast<double>(i);
    CAPTURE(F);
    const Estimate slope = outcome.estimates[1][i];
    CHECK_EXACT(outcome.estimates[0][i], exact(F), 0.004);
    CHECK_EXACT(slope, (exact(F + 0.5) - exact(F)) / 0.5, 0.006);
    CHECK(slope.error < 0.5 * std::sqrt(2.0) * outcome.estimates[0][i].error / 0.5);
  }
}

TEST_CASE("mobility: 1 for a free particle at every path, whatever batches and launches are" *
          doctest::test_suite("quick")) {
  RunOptions asked = options();
  asked.dt = 0.01;
  asked.time = 10;
  asked.paths = 700;
  asked.precision = "double";
  asked.observables = {{"mobility", {{"df", {0.25}}}}, "velocity"};
  const Model free =
      make_model({{BM_NOISE, "gaussian", {{"D", 1.0}}}, {BM_NOISE, "poisson", {{"lambda", 2.0}, {"zeta", 0.5}}}});
  const RunOutcome once = run(make_plan(free, {}, asked), {});
  CHECK_NEAR(once.estimates[0][0].value, 1, 1e-9);
  CHECK(once.estimates[0][0].error < 1e-9);
  asked.memory = 30000;
  asked.chunk = 130;
  const RunOutcome again = run(make_plan(free, {}, asked), {});
  CHECK(again.batches > 1);
  CHECK(again.estimates[0][0].value == once.estimates[0][0].value);
  CHECK(again.estimates[1][0].value == once.estimates[1][0].value);
}
