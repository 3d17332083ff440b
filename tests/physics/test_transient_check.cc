// The check of the transient: both halves of the window have the same velocity, and displacements of the same variance,
// where the start is forgotten, in units of an error that is known, and only there.
#include <doctest/doctest.h>

#include <cmath>

#include "all_kinds.h"
#include "plan/transient_check.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

RunOptions timed(double dt, double time, double transient, uint64_t paths) {
  RunOptions run = options();
  run.dt = dt, run.time = time, run.transient = transient, run.paths = paths;
  run.check_step = false;
  return run;
}

TransientCheck check_of_run(const Model& model, const RunOptions& run, const Sweep& sweep = {}) {
  return bmsim::run(make_plan(model, sweep, run), {}).transient_check;
}

const Part wave{BM_POTENTIAL, "sine", {}}, ramp{BM_POTENTIAL, "piecewise_linear", {}},
    heat{BM_NOISE, "gaussian", {{"D", 0.5}}}, kicks{BM_NOISE, "poisson", {{"D", 0.5}, {"a", 1}}},
    colour{BM_NOISE, "ornstein_uhlenbeck", {{"D", 0.5}, {"tau", 0.3}}};

/// Many points with the same values, which have paths of their own: z of velocities and of diffusion coefficients has
/// mean 0 and variance 1 over them; the latter less where clocks of their own make the halves differ in length, which
/// is allowed for.
void check_calibration(const char* name, const Model& model, RunOptions run, const char* parameter = "force") {
  CAPTURE(std::string(name));
  run.observables = {"velocity", "diffusion"};
  constexpr size_t points = 240;
  const size_t variables = model.variables().size();
  Sweep sweep;
  sweep.add_axis({parameter}, {std::vector<double>(points, 1)});
  const TransientCheck check = check_of_run(model, run, sweep);
  REQUIRE(check.seen.size() == 2 * points * variables);
  for (const TransientCheck::Of of : {TransientCheck::velocity, TransientCheck::diffusion}) {
    for (size_t variable = 0; variable < variables; ++variable) {
      CAPTURE(of);
      CAPTURE(variable);
      double sum = 0, squares = 0;
      for (const TransientCheck::Seen& one : check.seen) {
        if (one.of != of || one.variable != variable) continue;
        sum += one.z, squares += one.z * one.z;
        CHECK_FALSE(one.warned);
      }
      const double n = points, samples = static_cast<double>(run.replicas.value_or(run.paths)),
                   variance = (samples - 1) / (samples - 3);
      CHECK(std::abs(sum / n) < 4 * std::sqrt(variance / n));
      CHECK(squares / n - variance < 4 * std::sqrt(2.3 / n));
      if (of == TransientCheck::velocity || !(has_events(model) && run.method != "exact"))
        CHECK(squares / n - variance > -4 * std::sqrt(2.3 / n));
    }
  }
}

}  // namespace

TEST_CASE("check of the transient: z has mean 0 and variance 1 in a stationary state") {
  check_calibration("common clock", make_model({wave, heat}), timed(0.02, 60, 0.4, 96));
  check_calibration("own clocks", make_model({wave, kicks}), timed(0.02, 60, 0.4, 96));
  check_calibration("own clocks, a short window", make_model({wave, kicks, heat}), timed(0.02, 10, 0.4, 96));
  RunOptions exact = timed(0.02, 120, 0.4, 96);
  exact.method = "exact";
  check_calibration("exact", make_model({ramp, kicks}), exact);
}
TEST_CASE("check of the transient: the same with inertia, coloured noise, drives and long steps of own clocks") {
  check_calibration("inertia", make_model(Inertial{}, {wave, heat}), timed(0.02, 60, 0.4, 96));
  check_calibration("kicked inertia", make_model(Inertial{}, {wave, kicks, heat}), timed(0.02, 60, 0.4, 96));
  check_calibration("colour", make_model({wave, colour}), timed(0.02, 60, 0.4, 96));
  check_calibration("driven", make_model({wave, heat, {BM_DRIVE, "cosine", {{"amplitude", 3}, {"omega", 2 * M_PI}}}}),
                    timed(0.02, 100, 0.4, 96));
  check_calibration("frequent kicks", make_model({wave, {BM_NOISE, "poisson", {{"D", 0.5}, {"a", 0.2}}}}),
                    timed(0.02, 60, 0.4, 960));
  check_calibration("two variables", dimer(4, 0.3), timed(0.02, 60, 0.4, 96), "force_x");
  check_calibration("two variables with inertia", two_junctions(), timed(0.02, 60, 0.4, 96), "force_x");
  RunOptions systems = timed(0.02, 20, 0.4, 40);
  systems.replicas = 64;
  check_calibration("mean fields", kuramoto(1, 1), systems, "K");
}

TEST_CASE("check of the transient: rare kicks that have not forgotten the start are told" *
          doctest::test_suite("quick")) {
  // v = 0.0160 +- 0.0019, where the theory says 0.0040: the first kicks come to a place that the start has chosen
  const Model model = make_model({ramp, {BM_NOISE, "poisson", {{"D", 0.1}, {"a", 2.5}}}});
  RunOptions run = options();
  run.periods = 300, run.paths = 2048;
  const TransientCheck check = check_of_run(model, run);
  REQUIRE(check.seen.size() == 1);
  CHECK(check.seen[0].warned);
  CHECK(check.seen[0].first > check.seen[0].second);
}

TEST_CASE("check of the transient: diffusion that has not settled is told where nothing flows") {
  const Part bath{BM_NOISE, "gaussian", {{"D", 0.2}}};
  const auto worst = [](const Model& model, RunOptions run) {
    run.observables = {"velocity", "diffusion"};
    const std::vector<TransientCheck::Seen> seen = check_of_run(model, run).seen;
    REQUIRE(seen.size() == 2);
    CHECK(seen[0].of == TransientCheck::velocity);
    CHECK_FALSE(seen[0].warned);
    CHECK(seen[1].of == TransientCheck::diffusion);
    return seen[1];
  };
  // In a deep well, from its bottom: paths spread within the well first. Free, with inertia, from rest: D(t) grows.
  RunOptions run = timed(0.01, 2, 0, 4096);
  run.starts["x"] = {-0.25, 0, 0, 0};
  CHECK(worst(make_model({wave, bath}), run).warned);
  RunOptions from_rest = timed(0.02, 6, 0, 4096);
  from_rest.starts["v"] = {0, 0, 0, 0};
  const TransientCheck::Seen grows = worst(make_model(Inertial{}, {bath}), from_rest);
  CHECK(grows.warned);
  CHECK(grows.first < grows.second);
  // The same, when the start is forgotten; and bound particles, whose variance does not grow.
  CHECK_FALSE(worst(make_model(Inertial{}, {bath}), timed(0.02, 100, 0.5, 4096)).warned);
  CHECK_FALSE(worst(make_model({{BM_POTENTIAL, "harmonic", {{"k", 1}}}, bath}), timed(0.02, 100, 0.3, 4096)).warned);
  CHECK_FALSE(worst(make_model({{BM_POTENTIAL, "harmonic", {{"k", 1}}}, kicks}), timed(0.02, 100, 0.3, 4096)).warned);
  // Replicas of systems.
  Model heavy;
  heavy.make_system({{"x", true}}, {"k"});
  heavy.add_fields({{"m", "x"}});
  heavy.add(BM_NOISE, "gaussian", "bath", "x");
  heavy.set("bath.D", 0.2);
  heavy.set_equations({"-k*(x - m)"});
  heavy.set("k", 0);
  run = timed(0.02, 6, 0, 200);
  run.replicas = 32;
  run.starts["x"] = {0, 0, 0, 0}, run.starts["v_x"] = {0, 0, 0, 0};
  const TransientCheck::Seen of_systems = worst(heavy, run);
  CHECK(of_systems.warned);
  CHECK(of_systems.first < of_systems.second);
  CHECK(of_systems.first > 0);
}

namespace {
/// Runs every n-th kind of model with and without. Returns how many have been checked.
size_t compare_bits(size_t n) {
  size_t compared = 0;
  const std::vector<Case> all = cases();
  for (size_t k = 0; k < all.size(); k += n) {
    const Case& one = all[k];
    CAPTURE(std::string(one.name));
    RunOptions run = options();
    run.paths = 100, run.spp = 30, run.periods = std::string(one.method) == "exact" ? 1500 : 50;
    run.transient = 0.13, run.method = one.method, run.random_phases = one.random_phases;
    run.observables = {"velocity", "diffusion"};
    run.check_step = false;
    const RunOutcome with = bmsim::run(make_plan(one.model, {}, run), {});
    run.check_transient = false;
    const RunOutcome without = bmsim::run(make_plan(one.model, {}, run), {});
    CHECK(without.transient_check.seen.empty());
    compared += with.transient_check.seen.empty() ? 0 : 1;
    const auto same = [](double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); };
    for (size_t i = 0; i < with.estimates.size(); ++i) {
      CHECK(same(with.estimates[i][0].value, without.estimates[i][0].value));
      CHECK(same(with.estimates[i][0].error, without.estimates[i][0].error));
    }
  }
  return compared;
}
}  // namespace

TEST_CASE("check of the transient: it changes no bit of a run") { CHECK(compare_bits(9) >= 2); }
TEST_CASE("check of the transient: it changes no bit of a run of any kind") { CHECK(compare_bits(1) >= 10); }

TEST_CASE("check of the transient: halves that are no whole periods of a drive are no alarm" *
          doctest::test_suite("quick")) {
  // next to no noise: what a part of a period moves is many standard errors
  const Model model =
      make_model({{BM_NOISE, "gaussian", {{"D", 1e-6}}}, {BM_DRIVE, "cosine", {{"amplitude", 2}, {"omega", 1}}}});
  for (const double time : {20.0, 50.0, 62.83}) {
    for (const double dt : {0.01, 0.0317}) {
      const TransientCheck check = check_of_run(model, timed(dt, time, 0.1, 256));
      REQUIRE(check.seen.size() == 1);
      CHECK_FALSE(check.seen[0].warned);
    }
  }
}

TEST_CASE("check of the transient: densities with a start are told, settled ones are not") {
  const Model trap = make_model({{BM_POTENTIAL, "harmonic", {{"k", 1}}}, {BM_NOISE, "gaussian", {{"D", 1}}}});
  const auto density = [](double bins, double times) {
    return ObservableRequest{"density", {{"range", {-4, 4}}, {"bins", {bins}}, {"count", {times}}}};
  };
  const auto compared = [&](const Model& model, RunOptions run, const ObservableRequest& request) {
    run.starts["x"] = {2, 0, 0, 0};
    run.observables = {request};
    const TransientCheck check = check_of_run(model, run);
    CHECK(check.seen.size() >= 3);
    size_t warned = 0;
    for (const TransientCheck::Seen& one : check.seen) {
      CHECK(one.of == TransientCheck::density);
      warned += one.warned ? 1 : 0;
    }
    return warned;
  };
  // <x> is about 0.09 over the whole window of the first run
  CHECK(compared(trap, timed(0.02, 10, 0.1, 1024), density(100, 200)) > 0);
  CHECK(compared(trap, timed(0.02, 10, 0.1, 1024), density(7, 25)) > 0);
  CHECK(compared(trap, timed(0.02, 40, 0.5, 1024), density(100, 200)) == 0);
  CHECK(compared(trap, timed(0.02, 40, 0.5, 1024), density(7, 25)) == 0);
  // with other observables beside it, and with clocks of their own
  RunOptions run = timed(0.02, 10, 0.1, 1024);
  run.starts["x"] = {2, 0, 0, 0};
  run.observables = {"velocity", {"average", {}, {{"x2", "x^2"}}}, density(100, 200)};
  size_t densities = 0, warned = 0;
  for (const TransientCheck::Seen& one : check_of_run(trap, run).seen)
    if (one.of == TransientCheck::density) ++densities, warned += one.warned ? 1 : 0;
  CHECK(densities == 5);
  CHECK(warned > 0);
  const Model kicked = make_model({{BM_POTENTIAL, "harmonic", {{"k", 1}}}, kicks, heat});
  CHECK(compared(kicked, timed(0.02, 10, 0.1, 1024), density(100, 200)) > 0);
  CHECK(compared(kicked, timed(0.02, 40, 0.5, 1024), density(100, 200)) == 0);
}

TEST_CASE("check of the transient: probabilities of densities have errors that are known") {
  RunOptions run = timed(0.02, 20, 0.4, 333);
  run.observables = {{"density", {}}};
  constexpr size_t points = 240;
  Sweep sweep;
  sweep.add_axis({"force"}, {std::vector<double>(points, 1)});
  const TransientCheck check = check_of_run(make_model({wave, heat}), run, sweep);
  double sum = 0, squares = 0;
  for (const TransientCheck::Seen& one : check.seen) {
    if (std::abs((one.first + one.second) / 2 - 0.5) > 0.15) continue;
    sum += one.z, squares += one.z * one.z;
    CHECK_FALSE(one.warned);
  }
  const double n = points, variance = 31.0 / 29;  // at most two places of a point
  CHECK(std::abs(sum / n) < 8 * std::sqrt(variance / n));
  CHECK(squares / n > 0.6 * variance);
  CHECK(squares / n < 2 * 1.4 * variance);
}

TEST_CASE("check of the transient: of a run with averages alone nothing but these is compared") {
  RunOptions run = timed(0.02, 30, 0.1, 1024);
  run.starts["x"] = {2, 0, 0, 0};
  const Model trap = make_model({{BM_POTENTIAL, "harmonic", {{"k", 1}}}, {BM_NOISE, "gaussian", {{"D", 1}}}});
  run.observables = {{"average", {}, {{"x", "x"}}}};
  const TransientCheck alone = check_of_run(trap, run);
  REQUIRE(alone.seen.size() == 1);
  CHECK(alone.seen[0].of == TransientCheck::average);
  run.observables.push_back("velocity");
  CHECK(check_of_run(trap, run).seen.size() == 2);
  // under a drive of which the halves are no whole periods averages are not compared: what moves is
  const Model driven = make_model({{BM_POTENTIAL, "harmonic", {{"k", 1}}},
                                   {BM_NOISE, "gaussian", {{"D", 1}}},
                                   {BM_DRIVE, "cosine", {{"amplitude", 1}, {"omega", 1}}}});
  run.observables = {{"average", {}, {{"x", "x"}}}};
  const TransientCheck moving = check_of_run(driven, run);
  REQUIRE(moving.seen.size() == 1);
  CHECK(moving.seen[0].of == TransientCheck::velocity);
}

TEST_CASE("check of the transient: systems, mean fields, targets and levels of steps") {
  const Model start_away = make_model({{BM_POTENTIAL, "harmonic", {{"k", 0.05}}}, heat});
  RunOptions run = timed(0.02, 60, 0, 256);
  run.starts["x"] = {3, 0, 0, 0};
  CHECK(check_of_run(start_away, run).seen.at(0).warned);
  run.step_error = true;
  CHECK(check_of_run(start_away, run).seen.at(0).warned);
  run.step_error = false;
  run.tolerances = {{"velocity", 0.02, 0}};
  CHECK(check_of_run(start_away, run).seen.at(0).warned);
  run.tolerances.clear();
  run.targets = {{"velocity", 0.003, 0}};
  CHECK(check_of_run(start_away, run).seen.at(0).warned);
  const TransientCheck of_system = check_of_run(dimer(4, 0.3), timed(0.01, 40, 0.5, 256));
  CHECK(of_system.seen.size() == 2);
  for (const TransientCheck::Seen& one : of_system.seen) CHECK_FALSE(one.warned);
}

TEST_CASE("check of the transient: where halves say nothing it says why" * doctest::test_suite("quick")) {
  const auto why = [](const Model& model, const RunOptions& run) {
    const TransientCheck check = check_of_run(model, run);
    CHECK(check.seen.empty());
    return check.text;
  };
  const RunOptions run = timed(0.02, 10, 0.1, 96);
  const Part flights{BM_NOISE, "levy", {{"alpha", 1.5}}};
  CHECK(why(make_model({flights}), run).find("heavy tails") != std::string::npos);
  CHECK(why(make_model({wave}, 7), run).find("without noise") != std::string::npos);
  CHECK(why(make_model({wave, heat}), timed(0.02, 10, 0.1, 16)).find("16 paths are too few") != std::string::npos);
  RunOptions other = run;
  other.observables = {{"moments", {{"count", {4}}}}};
  CHECK(why(make_model({wave, heat}), other).find("no observable") != std::string::npos);
  other = run;
  other.check_transient = false;
  CHECK(why(make_model({wave, heat}), other).find("check_transient is false") != std::string::npos);
  other = run;
  other.method = "adaptive";
  CHECK(why(make_model({wave, heat}), other).find("adaptive") != std::string::npos);
}
