// What a user waits for besides plain steps: the plan of many points, the compilation of a kernel; on a GPU also walls,
// events, Gaussian increments and small ensembles.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "backend/cache.h"
#include "benchmarks.h"
#include "model/formula_plugin.h"
#include "requirements.h"
#include "systems.h"

namespace bmsim::bench {

using namespace bmsim::test;

namespace {

constexpr double not_required = NAN;

/// A row of the table. bound: the most that is allowed, or not_required.
void print_wait(const std::string& what, double measured, double bound, const char* unit) {
  fmt::print("{:<58}{:>10.4g} {:<5}{:>10}\n", what, measured, unit, std::isnan(bound) ? "" : fmt::format("{}", bound));
  std::fflush(stdout);
  if (!std::isnan(bound)) require_at_most(fmt::format("{}, {}", what, unit), measured, bound);
}

RunOptions given(double dt) {
  RunOptions run = options();
  run.check_step = false;
  run.dt = dt;
  run.method = "heun";
  run.precision = "single";
  return run;
}

// ---- planning

Model bistable_pair() {
  return make_system(
      {.variables = {{"x"}, {"y"}},
       .equations = {{"x", "a*x - b*x^3 + K*(y - x)"}, {"y", "a*y - b*y^3 + K*(x - y)"}},
       .parameters = {{"a", 1}, {"b", 1}, {"K", 0.2}},
       .parts = {{"x", BM_NOISE, "gaussian", {{"D", 0.1}}, "nx"}, {"y", BM_NOISE, "gaussian", {{"D", 0.1}}, "ny"}}});
}

std::vector<double> evenly(double from, double to, size_t count) {
  std::vector<double> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = from + (to - from) * static_cast<double>(i) / static_cast<double>(count);
  return values;
}

void print_plan(const std::string& what, const Model& model, const Sweep& sweep, const RunOptions& run, double bound) {
  const double seconds = make_plan(model, sweep, run).seconds;
  print_wait(what, seconds / static_cast<double>(sweep.points()) * 1e6, bound, "us");
}

void print_plans() {
  constexpr size_t points = 100'000;
  Sweep pairs;
  pairs.add_axis({"a", "K"}, {evenly(0.5, 1.5, points), evenly(0.1, 0.4, points)});
  RunOptions run = given(0.01);
  run.paths = 1;
  run.time = 50;
  run.observables = {{"average", {}, {{"x2", "x^2"}}}};
  print_plan("plan of a point, two variables, all given", bistable_pair(), pairs, run, 50);
  RunOptions chosen = options();
  chosen.check_step = false;
  chosen.paths = 1;
  chosen.time = 50;
  chosen.observables = run.observables;
  print_plan("the same, step, method and precision chosen", bistable_pair(), pairs, chosen, 200);

  Sweep forces;
  forces.add_axis({"force"}, {evenly(0, 6, points)});
  RunOptions one = given(0.01);
  one.paths = 12;
  one.time = 0.02;
  const Model model = make_model({{BM_POTENTIAL, "sine", {}},
                                  {BM_NOISE, "poisson", {{"D", 0.1}, {"lambda", 10.0}}},
                                  {BM_NOISE, "gaussian", {{"D", 0.1}}}});
  print_plan("plan of a point, one variable, all given", model, forces, one, 5);
}

// ---- compilation

/// Phases, each coupled to all others, every wave written out.
Model phases(size_t n) {
  SystemParts parts{.variables = {}, .parameters = {{"K", 0.1}, {"w", 0.1}}};
  for (size_t i = 0; i < n; ++i) {
    const std::string me = fmt::format("x{}", i);
    std::string sum = fmt::format("{}*w", i);
    for (size_t j = 0; j < n; ++j)
      if (j != i) sum += fmt::format(" + K*sin(2*pi*(x{} - x{}))", j, i);
    parts.variables.push_back({me, false, "1"});
    parts.equations[me] = sum;
    parts.parts.push_back({me, BM_NOISE, "gaussian", {{"D", 0.05}}, fmt::format("n{}", i)});
  }
  return make_system(parts);
}

/// Compiles the kernel of a short run, with nothing in the cache; nan if it was there all the same.
void print_compilation(const std::string& what, const Model& model, double bound) {
  RunOptions run = given(0.002);
  run.paths = 16;
  run.time = 0.2;
  const Plan plan = make_plan(model, Sweep(), run);
  KernelCache::instance().clear();
  const RunOutcome outcome = bmsim::run(plan, {});
  print_wait(what, outcome.kernel_cached ? NAN : outcome.compile_seconds, bound, "s");
}

void print_compilations(bool gpu) {
  const Model one = make_model({{BM_POTENTIAL, "sine", {{"V0", 1.0}}}, {BM_NOISE, "gaussian", {{"D", 0.5}}}});
  print_compilation("compilation, one variable", one, gpu ? 0.3 : 0.5);
  print_compilation("compilation, 12 phases, all to all", phases(12), gpu ? not_required : 6);
  print_compilation("compilation, 16 phases, all to all", phases(16), gpu ? 4 : 12);
}

// ---- rates on a GPU

struct Rate {
  double steps;            ///< of all paths, per second by the device's clock
  double seconds_of_step;  ///< of a path
};

/// The best of three runs after one that compiles.
Rate rate(const Model& model, const RunOptions& run) {
  const Plan plan = make_plan(model, Sweep(), run);
  Rate best{0, 1e300};
  for (int repeat = 0; repeat < 4; ++repeat) {
    const RunOutcome outcome = bmsim::run(plan, {});
    if (repeat == 0) continue;
    best.steps = std::max(best.steps, outcome.steps / outcome.device_seconds);
    best.seconds_of_step =
        std::min(best.seconds_of_step, outcome.device_seconds / (outcome.steps / static_cast<double>(run.paths)));
  }
  return best;
}

/// A row of the rate of a run and, with a bound, its ratio to that of the run without.
void print_rate(const std::string& what, double with, double without, double bound) {
  const bool required = !std::isnan(bound);
  fmt::print("{:<58}{:>10.1f}{:>8}{:>10}\n", what, with * 1e-9, required ? fmt::format("{:.3f}", with / without) : "",
             required ? fmt::format("{}", bound) : "");
  std::fflush(stdout);
  if (required) require_at_least(what + " / without", with / without, bound);
}

double cost_rate(const Model& model) {
  RunOptions run = options();
  run.check_step = false;
  run.paths = 524288;
  run.dt = 0.005;
  run.time = 600;
  run.starts["x"] = StartLaw{0.1, 0, 0, 0};
  run.observables = {"velocity"};
  return rate(model, run).steps;
}

const Part trap{BM_POTENTIAL, "harmonic", {{"k", 1.0}}};
const Part heat{BM_NOISE, "gaussian", {{"D", 0.5}}};

Model with_walls(Model model, const char* to) {
  model.add_walls({"x", "0", to}, {});
  return model;
}
Model with_event(Model model, const EventText& event) {
  model.add_event(event, {});
  return model;
}

void print_walls_and_zeros() {
  const Model pushed = make_model({heat}, -1), free = make_model({heat}), trapped = make_model({trap, heat});
  const double constant = cost_rate(pushed);
  print_rate("constant force", constant, constant, not_required);
  print_rate("constant force to a wall", cost_rate(with_walls(pushed, "")), constant, 0.18);
  print_rate("constant force in a box", cost_rate(with_walls(pushed, "1")), constant, 0.14);
  print_rate("box without a force", cost_rate(with_walls(free, "1")), constant, 0.46);
  const double plain = cost_rate(trapped);
  print_rate("trap, D = 0.5", plain, plain, not_required);
  print_rate("trap, D = 0.5, wall in the middle", cost_rate(with_walls(trapped, "")), plain, 0.24);

  const Model leaky = make_model({trap, {BM_NOISE, "gaussian", {{"D", 0.05}}}}, 0.8);
  const EventText fire{.name = "fire", .trigger = "when", .formula = "x - 1", .direction = "up", .set = {{"x", "0"}}};
  const double quiet = cost_rate(leaky);
  print_rate("trap", quiet, quiet, not_required);
  print_rate("trap, events when x passes 1", cost_rate(with_event(leaky, fire)), quiet, 0.44);

  const Model inertial = make_model({.gamma = 1}, {trap, {BM_NOISE, "gaussian", {{"T", 1.0}}}});
  const EventText bounce{
      .name = "bounce", .trigger = "when", .formula = "x", .direction = "down", .set = {{"v", "-v"}}};
  const double swinging = cost_rate(inertial);
  print_rate("trap with inertia", swinging, swinging, not_required);
  print_rate("trap with inertia, bounces at 0", cost_rate(with_event(inertial, bounce)), swinging, 0.28);
}

/// V = sin 2 pi x as a formula, force 1, D = 0.3, by Heun's scheme.
Model tilted_sine() {
  Model model = make_model({{BM_NOISE, "gaussian", {{"D", 0.3}}}}, 1);
  model.add(formula_plugin(BM_POTENTIAL, "sin(2*pi*x)", std::vector<std::string>{}), "");
  return model;
}
Rate tilted_rate(const char* increments, uint64_t paths, double time) {
  RunOptions run = given(0.001);
  run.check_transient = false;
  run.paths = paths;
  run.time = time;
  run.increments = increments;
  return rate(tilted_sine(), run);
}

void print_increments() {
  const double gaussian = tilted_rate("gaussian", 1 << 20, 100).steps;
  print_rate("tilted sine, 2^20 paths, gaussian", gaussian, gaussian, not_required);
  require_at_least("tilted sine, gaussian, 1e9 steps/s on an H200", gaussian * 1e-9, 800);
  fmt::print("\n");
  for (const char* increments : {"gaussian", "auto"})
    print_wait(fmt::format("step of 1024 paths, tilted sine, {}", increments),
               tilted_rate(increments, 1024, 2000).seconds_of_step * 1e9, 40, "ns");
}

}  // namespace

void print_waits() {
  const bool gpu = options().device.starts_with("cuda");
  const TemporaryDirectory empty(temporary_place(), "bench");
  setenv("XDG_CACHE_HOME", empty.path().c_str(), 1);  // before the first kernel
  fmt::print("{:<58}{:>10} {:<5}{:>10}\n", "wait", "measured", "", "at most");
  print_plans();
  print_compilations(gpu);
  if (!gpu) return;
  fmt::print("\n{:<58}{:>10}{:>8}{:>10}\n", "by the device's clock", "1e9 /s", "ratio", "at least");
  print_walls_and_zeros();
  print_increments();
}

}  // namespace bmsim::bench
