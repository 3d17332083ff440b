// Efficiencies of linear particles under a load, where the power that a drive or kicks bring is known, and none in
// equilibrium.
//
// Held to: linear particles under a load, for the power of a cosine drive, a²γ/[2(γ² + m²ω²)], and of kicks, D/m; nan
// in equilibrium; errors against the scatter over 64 seeds
#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

#include "recorded.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

constexpr double m = 1.3, friction = 0.8, load = -1.1;

/// <v> = f / gamma whatever else acts: checks the three efficiencies for the power that is brought.
void check_against(const Recorded& r, double power, double resolution) {
  CHECK_EXACT(r.column(0), -load * load / friction / power, resolution);
  CHECK_EXACT(r.column(1), load * load / friction / power, resolution);
  CHECK_EXACT(r.column(2), 0, resolution);
}

Model driven(double force) {
  return make_model({.mass = m, .gamma = friction, .force = force},
                    {{BM_NOISE, "gaussian", {{"T", 0.5}}}, {BM_DRIVE, "cosine", {{"amplitude", 3.0}, {"omega", 2.0}}}});
}

/// Over whole periods of that drive, once it has forgotten the beginning.
RunOptions periods(uint64_t paths) {
  RunOptions asked = timed_run(std::numbers::pi / 300, 40 * std::numbers::pi, 0.1, paths);
  asked.transient = 0.25;
  return asked;
}

}  // namespace

TEST_CASE("efficiency: a drive of amplitude a brings a^2 gamma / (2 (gamma^2 + m^2 omega^2)) to a linear particle" *
          doctest::test_suite("quick")) {
  check_against(record(driven(load), periods(4096), {"efficiency"}),
                9 * friction / (2 * (friction * friction + 4 * m * m)), 0.02);
}

TEST_CASE("efficiency: kicks of mean zero bring D/m, as a bath of their intensity would") {
  RunOptions asked = timed_run(0.01, 60, 0.1, 32768);
  asked.transient = 0.25;
  const Recorded r =
      record(make_model({.mass = m, .gamma = friction, .force = load},
                        {{BM_NOISE, "gaussian", {{"T", 0.5}}}, {BM_NOISE, "poisson", {{"D", 2.0}, {"a", 3.0}}}}),
             asked, {"efficiency"});
  check_against(r, 2.0 / m, 0.004);
}

TEST_CASE("efficiency: nan where nothing brings power, with a load as without") {
  for (const double force : {0.0, 0.5}) {
    RunOptions asked = timed_run(0.005, 40, 0.1, 512);
    asked.transient = 0.25;
    const Recorded r = record(make_model({.mass = m, .gamma = friction, .force = force},
                                         {{BM_POTENTIAL, "sine", {}}, {BM_NOISE, "gaussian", {{"T", 0.5}}}}),
                              asked, {"efficiency"});
    for (size_t i = 0; i < 3; ++i) CHECK(std::isnan(r.column(i).value));
  }
}

TEST_CASE("efficiency: the same bits whether the host or the device reduces the windows") {
  const Recorded r = record(driven(load), periods(700), {"efficiency"});
  const RunOutcome alone = run(r.plan, {});  // nobody looks at the windows
  for (size_t i = 0; i < 3; ++i) {
    CHECK(alone.estimates[i][0].value == r.column(i).value);
    CHECK(alone.estimates[i][0].error == r.column(i).error);
  }
}

TEST_CASE("efficiency: errors are the scatter over seeds, <v> and <v^2> being correlated") {
  constexpr size_t seeds = 64;
  std::vector<double> value, error;
  for (size_t seed = 1; seed <= seeds; ++seed) {
    RunOptions asked = periods(64);
    asked.seed = seed;
    const Recorded r = record(driven(load), asked, {"efficiency"});
    value.push_back(r.column(1).value);
    error.push_back(r.column(1).error);
  }
  const double scatter = mean(value).error * std::sqrt(static_cast<double>(seeds));
  CHECK_NEAR(mean(error).value / scatter, 1, 4 / std::sqrt(2.0 * (seeds - 1)));
}
