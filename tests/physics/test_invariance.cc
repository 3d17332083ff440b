// Results depend on (seed, model, sweep, paths) and on nothing else, bit for bit.
#include <doctest/doctest.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

#include "all_kinds.h"

using namespace bmsim;
using namespace bmsim::test;

namespace {

RunOptions base(const Case& one) {
  RunOptions run = options();
  run.paths = 500;
  run.spp = 30;
  run.periods = std::string(one.method) == "exact" ? 1500 : 40;  // an iteration is a step, or an event
  run.transient = 0.13;
  run.method = one.method;
  run.threads = 1;
  run.random_phases = one.random_phases;
  return run;
}

/// The same bits, or both nan: moments that Levy noise does not leave.
bool same(double a, double b) { return a == b || (std::isnan(a) && std::isnan(b)); }

void check_same(const Sample& a, const Sample& b) {
  CHECK(a.start == b.start);
  CHECK(a.end == b.end);
  CHECK(a.speed == b.speed);
  CHECK(same(a.velocity_squared.value, b.velocity_squared.value));
  CHECK(same(a.velocity_squared.error, b.velocity_squared.error));
  CHECK(a.velocity.value == b.velocity.value);
  CHECK(same(a.diffusion.error, b.diffusion.error));
  REQUIRE(a.outcome.transient_check.seen.size() == b.outcome.transient_check.seen.size());
  for (size_t i = 0; i < a.outcome.transient_check.seen.size(); ++i) {
    const TransientCheck::Seen &one = a.outcome.transient_check.seen[i], &other = b.outcome.transient_check.seen[i];
    CHECK(one.z == other.z);
    CHECK(one.first == other.first);
    CHECK(one.second == other.second);
  }
}

}  // namespace

TEST_CASE("the chunk length never changes a result") {
  for (const auto& one : cases()) {
    CAPTURE(std::string(one.name));
    const Sample whole = sample(one.model, base(one));
    for (const uint64_t chunk : {1u, 100u, 777u}) {
      RunOptions run = base(one);
      run.chunk = chunk;
      const Sample parts = sample(one.model, run);
      CHECK(parts.outcome.launches > 1);
      check_same(whole, parts);
    }
  }
}

TEST_CASE("the number of threads never changes a result") {
  for (const auto& one : cases()) {
    CAPTURE(std::string(one.name));
    RunOptions run = base(one);
    const Sample alone = sample(one.model, run);
    run.threads = 5;
    check_same(alone, sample(one.model, run));
  }
}

TEST_CASE("batches never change a result, also when they end within a point") {
  for (const auto& one : cases()) {
    CAPTURE(std::string(one.name));
    const Sample whole = sample(one.model, base(one));
    RunOptions run = base(one);
    run.memory = 1;  // one group at a time
    const Sample parts = sample(one.model, run);
    CHECK(parts.outcome.batches > 1);
    check_same(whole, parts);
  }
}

TEST_CASE("batches, chunks and threads never change a sweep whose points have tables and lists of their own" *
          doctest::test_suite("quick")) {
  const Part bumps{BM_POTENTIAL, "table", {}, "", {}, {{"V", {0, 1, 0.5, -1, 0.25}}}};
  const Part kicks{BM_NOISE, "poisson", {{"D", 0.3}, {"a", 1.5}}}, heat{BM_NOISE, "gaussian", {{"D", 0.1}}};
  const Inertial light{0.5, 0.8, 0.2};
  for (const Model& model : {make_model({bumps, kicks, heat}), make_model(light, {bumps, kicks, heat})}) {
    Sweep sweep;
    sweep.add_axis({"table.V0"}, {{0.2, 1, 3}});
    RunOptions run = options();
    run.paths = 300;
    run.dt = 0.01;
    run.time = 4;
    const auto velocities = [&](const RunOptions& how) {
      const RunOutcome outcome = bmsim::run(make_plan(model, sweep, how), {});
      std::vector<double> all;
      for (const Estimate& estimate : outcome.estimates[0]) all.push_back(estimate.value);
      return all;
    };
    const std::vector<double> whole = velocities(run);
    CHECK(whole.size() == 3);
    CHECK(whole[0] != whole[1]);
    CHECK(whole[1] != whole[2]);
    run.memory = 1;
    CHECK(velocities(run) == whole);
    run.memory = 20000;
    run.chunk = 100;
    run.threads = 3;
    CHECK(velocities(run) == whole);
  }
}

namespace {

void check_estimates(const Case& one) {
  CAPTURE(std::string(one.name));
  RunOptions asked = base(one);
  asked.observables = {"velocity", "diffusion"};
  if (one.model.underdamped()) asked.observables.emplace_back("velocity_squared");
  const Sample host = sample(one.model, asked);  // sees every path
  for (const uint64_t memory : {uint64_t{0}, uint64_t{1}}) {
    asked.memory = memory;
    const RunOutcome device = run(make_plan(one.model, Sweep(), asked), {});
    CHECK(same(device.estimates[0][0].value, host.velocity.value));
    CHECK(same(device.estimates[0][0].error, host.velocity.error));
    CHECK(same(device.estimates[1][0].value, host.diffusion.value));
    CHECK(same(device.estimates[1][0].error, host.diffusion.error));
    REQUIRE(device.transient_check.seen.size() == host.outcome.transient_check.seen.size());
    for (size_t i = 0; i < device.transient_check.seen.size(); ++i) {
      CHECK(device.transient_check.seen[i].z == host.outcome.transient_check.seen[i].z);
      CHECK(device.transient_check.seen[i].first == host.outcome.transient_check.seen[i].first);
    }
    if (!one.model.underdamped()) continue;
    CHECK(same(device.estimates[2][0].value, host.velocity_squared.value));
    CHECK(same(device.estimates[2][0].error, host.velocity_squared.error));
  }
}

}  // namespace

TEST_CASE("estimates have the same bits whether the device or the host adds them up, and in whichever batches" *
          doctest::test_suite("quick")) {
  const auto all = cases();
  for (size_t i = 0; i < all.size(); i += 8) check_estimates(all[i]);
}
TEST_CASE("estimates have the same bits whether the device or the host adds them up: other models") {
  const auto all = cases();
  for (size_t i = 0; i < all.size(); ++i)
    if (i % 8 != 0) check_estimates(all[i]);
}

TEST_CASE("what is counted at every step depends neither on launches, threads, batches nor on neighbours") {
  const auto smooth = [](const Model& model) { return model.potential().plugin->has(BM_SMOOTH); };
  using Counted = std::map<std::string, std::vector<double>>;
  const auto counted = [&](const Model& model, RunOptions asked) {
    asked.observables = {{"first_passage", {{"to", {-0.7, 1.2}}}},
                         {"residence", {{"from", {-0.3}}, {"to", {0.4}}}},
                         {"turning_points", {{"threshold", {0.5}}}}};
    if (smooth(model)) asked.observables.emplace_back("lyapunov");
    Counted all;
    RunHooks hooks;
    hooks.window = [&](size_t, std::span<const Window> windows) {
      const Window& w = windows[0];
      for (const auto& [name, values] : w.counted) all[name].assign(values.begin(), values.end());
      all["end"].assign(w.end.begin(), w.end.end());
    };
    run(make_plan(model, Sweep(), asked), hooks);
    return all;
  };
  const auto all = cases();
  size_t passed = 0, left = 0, turned = 0;
  for (const size_t i : {3u, 5u, 6u, 8u, 11u, 13u}) {  // both clocks, with inertia and without, all kinds of noise
    const Case& one = all[i];
    CAPTURE(std::string(one.name));
    RunOptions asked = base(one);
    if (has_gaussian(one.model) && asked.method != "paper") asked.increments = "gaussian";  // for turning points
    const auto whole = counted(one.model, asked);
    REQUIRE(whole.size() == (smooth(one.model) ? 10 : 9));
    CHECK(whole.at("end") == sample(one.model, asked).end);  // nothing that is counted moves anything
    const auto any = [&](const char* name) {
      return std::any_of(whole.at(name).begin(), whole.at(name).end(), [](double x) { return x > 0; }) ? 1 : 0;
    };
    passed += any("first_passage.time"), left += any("residence.low_left"), turned += any("turning_points.turns");
    if (smooth(one.model)) CHECK(whole.at("lyapunov.growth")[0] != whole.at("lyapunov.growth")[1]);
    asked.chunk = 100;
    asked.threads = 3;
    CHECK(counted(one.model, asked) == whole);
    asked.chunk = 0;
    asked.memory = 1;
    CHECK(counted(one.model, asked) == whole);
    asked.paths = 16;
    const auto few = counted(one.model, asked);
    for (const auto& [name, values] : few) CHECK(std::equal(values.begin(), values.end(), whole.at(name).begin()));
  }
  CHECK(passed >= 5);
  CHECK(left >= 4);
  CHECK(turned >= 5);
}

TEST_CASE("integrals along paths depend neither on launches, threads, batches nor on neighbours") {
  using Counted = std::map<std::string, std::vector<double>>;
  const auto counted = [&](const Model& model, RunOptions asked, const std::string& wave) {
    asked.observables = {{"integral", {}, {{"area", wave}, {"turn", "(" + wave + ")*sin(2*t)"}}}};
    const bool jumps =
        has_events(model) || !model.events().empty() ||
        std::ranges::any_of(model.components(), [](const Component& one) { return one.plugin->has(BM_INCREMENT); });
    if (!jumps) asked.observables[0].words["length.x"] = wave;
    Counted all;
    RunHooks hooks;
    hooks.window = [&](size_t, std::span<const Window> windows) {
      for (const auto& [name, values] : windows[0].counted) all[name].assign(values.begin(), values.end());
      all["end"].assign(windows[0].end.begin(), windows[0].end.end());
    };
    run(make_plan(model, Sweep(), asked), hooks);
    return all;
  };
  for (const Case& one : cases()) {
    if (one.random_phases || one.method == std::string("paper") || one.method == std::string("exact")) continue;
    CAPTURE(std::string(one.name));
    const double period = evaluate(one.model).variables[0].length();
    const std::string wave = fmt::format("0.3 + cos(2*pi*x/{:.17g})", period);
    RunOptions asked = base(one);
    const auto whole = counted(one.model, asked, wave);
    CHECK(whole.at("end") == sample(one.model, asked).end);  // nothing that is summed up moves anything
    const auto& areas = whole.at("integral.integral_area_0");
    CHECK(areas[0] != areas[1]);
    asked.chunk = 100;
    asked.threads = 3;
    CHECK(counted(one.model, asked, wave) == whole);
    asked.chunk = 0;
    asked.memory = 1;
    CHECK(counted(one.model, asked, wave) == whole);
    asked.paths = 16;
    const auto few = counted(one.model, asked, wave);
    for (const auto& [name, values] : few) CHECK(std::equal(values.begin(), values.end(), whole.at(name).begin()));
  }
}

TEST_CASE("a path does not depend on how many there are, nor on the size of its group") {
  const FastestGroups groups;
  const auto all = cases();
  for (size_t i = 0; i < all.size(); i += 2) {  // every second one: smaller groups are other kernels, to be compiled
    const Case& one = all[i];
    CAPTURE(std::string(one.name));
    RunOptions run = base(one);
    const Sample many = sample(one.model, run);
    run.paths = 16;
    const Sample few = sample(one.model, run);
    for (size_t path = 0; path < few.end.size(); ++path) CHECK(few.end[path] == many.end[path]);
    for (size_t path = 0; path < few.speed.size(); ++path) CHECK(few.speed[path] == many.speed[path]);
  }
}

TEST_CASE("a path does not depend on its neighbours: a second point begins anywhere in a group") {
  for (const auto& one : cases()) {
    CAPTURE(std::string(one.name));
    RunOptions run = base(one);
    run.paths = 2 * 255;
    const Sample together = sample(one.model, run);
    run.paths = 255;
    Sweep twice;
    twice.add_axis({one.model.is_system() ? "force_x" : "force"}, {{one.model.force(), one.model.force()}});
    std::vector<double> second;
    RunHooks hooks;
    hooks.window = [&](size_t, std::span<const Window> windows) {
      second.assign(windows[0].end.begin(), windows[0].end.end());
    };
    bmsim::run(make_plan(one.model, twice, run), hooks);
    CHECK(std::equal(second.begin(), second.end(), together.end.begin() + 255));
  }
}

TEST_CASE("the end of the transient does not change the path, but for the step that it ends") {
  for (const auto& one : cases()) {
    const std::string_view method = one.method;
    if (method == "adaptive" || (has_events(one.model) && method != "paper")) continue;  // every step ends on the grid
    CAPTURE(std::string(one.name));
    RunOptions run = base(one);
    // The integral of a rate over the step is added up in two parts there: in single precision an event in some 10^5
    // then comes a step earlier or later.
    if (!one.model.events().empty()) run.precision = "double";
    const Sample early = sample(one.model, run);
    run.transient = 0.5;
    const Sample late = sample(one.model, run);
    CHECK(late.end == early.end);
    CHECK(late.speed == early.speed);
  }
}

TEST_CASE("every case moves its paths, each in its own way, and to finite places") {
  for (const auto& one : cases()) {
    CAPTURE(std::string(one.name));
    const Sample all = sample(one.model, base(one));
    CHECK(all.speed.size() == (one.model.variables()[0].inertial ? all.end.size() : 0));
    for (size_t i = 0; i < all.end.size(); ++i) {
      REQUIRE(std::isfinite(all.end[i]));
      REQUIRE(all.end[i] != all.start[i]);
      REQUIRE(all.end[i] != all.end[(i + 1) % all.end.size()]);
    }
  }
}

TEST_CASE("another seed gives other paths" * doctest::test_suite("quick")) {
  const auto all = cases();
  RunOptions run = base(all[0]);
  const Sample one = sample(all[0].model, run);
  run.seed = 2;
  CHECK(sample(all[0].model, run).end != one.end);
}

TEST_CASE("systems: chunks, threads, batches and where moments are summed change no bit" *
          doctest::test_suite("quick")) {
  struct System {
    const char* name;
    Model model;
    const char* method;
    const char* increments;
    const char* formula = nullptr;  // that passes a level
  };
  const System systems[] = {{"mixed", mixed(), "heun", "auto", "x/2 - y"},
                            {"two junctions", two_junctions(), "aboba", "five_point", "x - y"},
                            {"correlated", correlated("anti_ito"), "heun", "gaussian"},
                            {"amplitude", landauer("ito"), "heun", "three_point"},
                            {"multiplied", kicked_by_place(2), "aboba", "gaussian"},
                            {"active", active_particle(0.3, 2, 0.1, 0.5), "heun", "near_gaussian", "x + y"},
                            {"kicked", kicked_pair(), "heun", "five_point"}};
  for (const System& one : systems) {
    CAPTURE(std::string(one.name));
    RunOptions asked = options();
    asked.paths = 500;
    asked.dt = 0.01;
    asked.time = 20;
    asked.threads = 1;
    asked.method = one.method;
    asked.increments = one.increments;
    asked.observables = {"velocity", "diffusion", "moments"};
    if (one.formula != nullptr)
      asked.observables.insert(
          asked.observables.end(),
          {{"moments", {}, {{"of", "x*y,cos(2*pi*x)"}, {"name", "xy,c"}}},
           {"first_passage", {{"to", {-0.7, 1.2}}, {"longest", {20}}}, {{"of", one.formula}, {"name", "seen"}}}});
    if (one.model.underdamped()) asked.observables.emplace_back("velocity_squared");
    const std::string name = one.name;  // equations of the one and kicks of the other jump
    if (name != "mixed" && name != "multiplied") asked.observables.emplace_back("lyapunov");
    const auto numbers = [&](const RunOptions& how) {
      const RunOutcome outcome = run(make_plan(one.model, Sweep(), how), {});
      std::vector<double> all;
      for (const auto& column : outcome.estimates) all.insert(all.end(), {column[0].value, column[0].error});
      for (const Array& array : outcome.arrays) all.insert(all.end(), array.values.begin(), array.values.end());
      for (double& number : all)
        if (std::isnan(number)) number = -1e9;
      return all;
    };
    const std::vector<double> whole = numbers(asked);
    CHECK(std::any_of(whole.begin(), whole.end(), [](double x) { return x > 0; }));
    asked.chunk = 100;
    asked.threads = 3;
    CHECK(numbers(asked) == whole);
    asked.chunk = 0;
    asked.memory = 1;
    CHECK(numbers(asked) == whole);
  }
}
