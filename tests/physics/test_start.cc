// How trajectories begin: laws and grids of initial positions and velocities, phases of drives; and how they end where
// they diverge.
//
// Held to: initial laws, grids and phases; divergence is seen and other points are kept
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "measures.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

constexpr double two_pi = 2 * std::numbers::pi;
const Part heat{BM_NOISE, "gaussian", {{"T", 0.5}}};
const Part sine{BM_POTENTIAL, "sine", {{"L", 2}}};

double uniform_law(double x, double centre, double width) { return std::clamp((x - centre) / width + 0.5, 0.0, 1.0); }

/// A run of so few and short steps that the end is the start.
RunOptions instant(uint64_t paths) { return timed_run(1e-12, 1e-12, 0, paths); }

template <class Law> void check_law(const std::vector<double>& x, Law law) {
  const double distance = kolmogorov_smirnov(x, law);
  CHECK_NEAR(distance, 0, kolmogorov_bound);
}

}  // namespace

TEST_CASE("start by default: x uniform over a period and v of Maxwell's law; without a period x = 0" *
          doctest::test_suite("quick")) {
  const Sample run = sample(make_model(Inertial{2, 1.3}, {sine, heat}), instant(393216));
  check_law(run.start, [](double x) { return uniform_law(x, 0, 2); });
  check_law(run.speed, [](double v) { return normal_law(v, 0, 0.25); });
  CHECK_EXACT(average(run.speed, [](double v) { return v * v; }), 0.25, 0.001);
  double mixed = 0;  // x and v are independent
  for (size_t i = 0; i < run.start.size(); ++i) mixed += run.start[i] * run.speed[i] / 393216;
  CHECK_EXACT((Estimate{mixed, std::sqrt(1.0 / 3 * 0.25 / 393216)}), 0, 0.001);
  const Sample bound = sample(make_model({{BM_POTENTIAL, "harmonic", {}}, heat}), instant(100));
  for (const double x : bound.start) CHECK(x == 0);
}

TEST_CASE("start: fixed, uniform and Gaussian x and v, outside of one period too") {
  RunOptions run = instant(196608);
  run.starts["x"] = StartLaw{3.25, 0, 0, 0};
  run.starts["v"] = StartLaw{-1.5, 0, 0, 0};
  const Model model = make_model(Inertial{2, 1.3}, {sine, heat});
  const Sample fixed = sample(model, run);
  for (size_t i = 0; i < 100; ++i) {
    CHECK(fixed.start[i] == 3.25);
    CHECK(fixed.speed[i] == doctest::Approx(-1.5).epsilon(1e-5));
  }
  run.starts["x"] = StartLaw{1, 5, 0, 0};
  run.starts["v"] = StartLaw{2, 3, 0, 0};
  const Sample uniform = sample(model, run);
  check_law(uniform.start, [](double x) { return uniform_law(x, 1, 5); });
  check_law(uniform.speed, [](double v) { return uniform_law(v, 2, 3); });
  run.starts["x"] = StartLaw{-0.5, 0, 0.7, 0};
  run.starts["v"] = StartLaw{1, 0, 1.6, 0};
  const Sample normal = sample(model, run);
  check_law(normal.start, [](double x) { return normal_law(x, -0.5, 0.49); });
  check_law(normal.speed, [](double v) { return normal_law(v, 1, 2.56); });
}

TEST_CASE("start on a grid over (x, v): evenly spaced in the middles of the cells, every pair as often") {
  RunOptions run = instant(64);
  run.starts["x"] = StartLaw{0.5, 2, 0, 4};
  run.starts["v"] = StartLaw{0, 6, 0, 8};
  for (const uint64_t paths : {32u, 64u}) {
    run.paths = paths;
    const Sample grid = sample(make_model(Inertial{2, 1.3}, {sine, heat}), run);
    for (size_t i = 0; i < paths; ++i) {
      CHECK(grid.start[i] == doctest::Approx(0.5 + 2 * ((static_cast<double>(i % 4) + 0.5) / 4 - 0.5)));
      CHECK(grid.speed[i] == doctest::Approx(6 * ((static_cast<double>(i / 4 % 8) + 0.5) / 8 - 0.5)).epsilon(1e-4));
    }
  }
}

TEST_CASE("random phases: a driven free particle's displacement has the variance (A/omega)^2 (1 - cos omega t)") {
  const double A = 2, omega = 3, time = 0.8, D = 0.05;
  const Part drive{BM_DRIVE, "cosine", {{"amplitude", A}, {"omega", omega}, {"phase", 0.7}}};
  const Part other{BM_DRIVE, "square", {{"amplitude", 1}, {"omega", 0.5}}, "flips"};
  const Part kicks{BM_NOISE, "poisson", {{"lambda", 40}, {"zeta", 0.02}}};
  const auto swing = [&](double t) { return A * A / (omega * omega) * (1 - std::cos(omega * t)); };
  RunOptions run = timed_run(0.004, time, 0, 196608);
  run.random_phases = true;
  const Part thermal{BM_NOISE, "gaussian", {{"D", D}}};
  const Sample alone = sample(make_model({drive, thermal}), run);
  CHECK_EXACT(mean(displacements(alone)), 0, 0.0025);
  CHECK_EXACT(variance(displacements(alone)), swing(time) + 2 * D * time, 0.003);
  // On every trajectory's own clock.
  const Sample kicked = sample(make_model({drive, thermal, kicks}), run);
  CHECK_EXACT(mean(displacements(kicked)), 0, 0.0025);
  CHECK_EXACT(variance(displacements(kicked)), swing(time) + 2 * D * time + 2 * 40 * 0.02 * 0.02 * time, 0.003);
  // The second drive has a phase of its own: within t < half its period it moves by +-t, or turns on the way.
  const double half = two_pi / 0.5 / 2, turning = time / half;  // the probability to turn
  const double flipped = time * time * (1 - turning + turning / 3);
  CHECK_EXACT(variance(displacements(sample(make_model({drive, other, thermal}), run))),
              swing(time) + flipped + 2 * D * time, 0.004);
}

TEST_CASE("random phases of an inertial particle: stationary variance of v, A^2 / (2 [gamma^2 + (m omega)^2]) + T/m") {
  const Part drive{BM_DRIVE, "cosine", {{"amplitude", 2}, {"omega", 3}}};
  const double exact = 4 / (2 * (1.3 * 1.3 + 36)) + 0.25;
  for (const std::string method : {"aboba", "heun"}) {
    RunOptions run = timed_run(0.01, 16, 0.9, 196608);
    run.random_phases = true;
    run.method = method;
    CHECK_EXACT(variance(sample(make_model(Inertial{2, 1.3}, {drive, heat}), run).speed), exact, 0.001);
  }
}

TEST_CASE("divergence: a point whose step is too large is named with path and step, the others are kept" *
          doctest::test_suite("quick")) {
  const Model model = make_model({{BM_POTENTIAL, "harmonic", {{"k", 1}}}, {BM_NOISE, "gaussian", {{"D", 0.5}}}});
  RunOptions run = timed_run(0.1, 2000, 0.1, 1000);
  run.method = "heun";
  run.observables = {"velocity", "diffusion"};
  Sweep sweep;
  sweep.add_axis({"dt"}, {{0.1, 5, 0.2}});
  std::vector<double> ends[3];
  RunHooks hooks;
  hooks.window = [&](size_t point, std::span<const Window> windows) {
    ends[point].assign(windows[0].end.begin(), windows[0].end.end());
  };
  const RunOutcome outcome = bmsim::run(make_plan(model, sweep, run), hooks);
  REQUIRE(outcome.diverged.size() == 1);
  CHECK(outcome.diverged[0].point == 1);
  CHECK(outcome.diverged[0].path == 0);
  // x grows by 1 - 5 + 25/2 in a step, up to 10^30; it is looked at at the end of a block, of 160 steps at most.
  CHECK(outcome.diverged[0].step >= std::log(1e29) / std::log(8.5));
  CHECK(outcome.diverged[0].step <= 2 * std::log(1e31) / std::log(8.5) + 160);
  for (const auto& estimates : outcome.estimates) {
    CHECK(std::isnan(estimates[1].value));
    CHECK(std::isfinite(estimates[0].value));
    CHECK(std::isfinite(estimates[2].error));
  }
  CHECK_EXACT(variance(ends[0]), 0.5, 0.025);
  CHECK_EXACT(variance(ends[2]), 0.5, 0.025);
}

TEST_CASE("divergence: found where no path is looked at, and where the run ends within the block in which it comes") {
  const Part spring{BM_POTENTIAL, "harmonic", {{"k", 1}}};
  const Part kicks{BM_NOISE, "poisson", {{"lambda", 1e-3}, {"zeta", 0.3}}};  // seldom, since steps end with them
  for (const Model& model : {make_model({spring, {BM_NOISE, "gaussian", {{"D", 0.5}}}}), make_model({spring, kicks})})
    for (const double steps : {60.0, 2000.0})
      for (const ObservableRequest& observable : {ObservableRequest("velocity"), ObservableRequest("paths")}) {
        CAPTURE(steps);
        CAPTURE(observable.name);
        CAPTURE(model.components().back().name);
        RunOptions run = timed_run(7, 7 * steps, 0.1, 64);
        run.method = "heun";
        run.observables = {observable};
        const RunOutcome outcome = bmsim::run(make_plan(model, {}, run), {});
        REQUIRE(outcome.diverged.size() == 1);  // x grows by 1 - 7 + 49/2 in a step
        CHECK(outcome.diverged[0].path == 0);
        CHECK(outcome.diverged[0].step >= std::log(1e29) / std::log(18.5));
        CHECK(outcome.diverged[0].step <= 2 * std::log(1e31) / std::log(18.5) + 128);
      }
}

TEST_CASE("divergence: of some paths only, on their own clocks and of inertial particles; the first of them is named") {
  // The quartic walls throw out who comes too far up in one step.
  const Part well{BM_POTENTIAL, "double_well", {}}, kicks{BM_NOISE, "poisson", {{"lambda", 1}, {"zeta", 0.3}}};
  for (const bool inertial : {false, true}) {
    CAPTURE(inertial);
    const Model model = inertial ? make_model(Inertial{0.2, 1}, {well, kicks}) : make_model({well, kicks});
    RunOptions run = timed_run(0.3, 30, 0.1, 2000);
    run.method = "heun";
    const Sample some = sample(model, run);
    uint64_t lost = 0, first = 0;
    for (uint64_t path = some.end.size(); path-- > 0;)
      if (std::isnan(some.end[path])) ++lost, first = path;
    CHECK(lost > 0);
    CHECK(lost < 1900);
    REQUIRE(some.outcome.diverged.size() == 1);
    CHECK(some.outcome.diverged[0].path == first);
    CHECK(some.outcome.diverged[0].step > 0);
    CHECK(some.outcome.diverged[0].step <= 100 + 128);
    CHECK(std::isnan(some.velocity.value));
  }
}
