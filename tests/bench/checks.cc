// What the check of the step costs: the time and the steps of whole runs with it over those without.
#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "benchmarks.h"
#include "ensemble.h"
#include "models.h"
#include "requirements.h"

namespace bmsim::bench {

using namespace bmsim::test;

namespace {

struct Row {
  const char* work;
  Model model;
  size_t points;
  uint64_t paths;  ///< of every point
};

std::vector<Row> rows(bool gpu) {
  const auto [jumps, thermal, smooth, flipping, both, inertial, written] = bench::models();
  const uint64_t many = gpu ? 16384 : 1536, few = gpu ? 1024 : 256;
  return {{"Model I, piecewise linear, heun", jumps, 1, 100 * many},
          {"Model I, piecewise linear, heun", jumps, 100, many},
          {"Model I, piecewise linear, heun", jumps, 100, few},
          {"Model I, piecewise linear, heun", jumps, 1, few},
          {"Model I, thermal", thermal, 100, many},
          {"Model I, sine, thermal", smooth, 100, many},
          {"underdamped, driven, thermal", inertial, 100, many},
          {"underdamped, driven, thermal", inertial, 1, few}};
}

struct Cost {
  double seconds = 1e300, steps = 0, checked = 0;
};
Plan plan_of(const Row& row, double periods, bool check) {
  RunOptions run = options();
  run.method = row.model.underdamped() ? "aboba" : "heun";
  run.paths = row.paths;
  run.spp = 400;
  run.periods = periods;
  run.check_step = check;
  Sweep sweep;
  std::vector<double> forces;
  for (size_t i = 0; i < row.points; ++i) forces.push_back(0.001 * static_cast<double>(i));
  sweep.add_axis({"force"}, {forces});
  return make_plan(row.model, sweep, run);
}

/// Adds a run to the best so far.
void measure(const Plan& plan, Cost& best) {
  const RunOutcome outcome = bmsim::run(plan, {});
  best = {std::min(best.seconds, outcome.seconds), outcome.steps, outcome.step_check.steps};
}

}  // namespace

void print_checks() {
  const bool gpu = options().device.starts_with("cuda");
  fmt::print("{:<34}{:>7}{:>9}{:>10}{:>9}{:>9}   (required: 0.05, 1.10)\n", "work", "points", "paths", "seconds",
             "steps", "time");
  for (const Row& row : rows(gpu)) {
    const double wanted = gpu ? 5e11 : 8e9;  // steps of a second or more
    const double all = static_cast<double>(row.paths * row.points);
    const double periods = std::clamp(wanted / all / 400, 20.0, gpu ? 20000.0 : 1e9);
    bmsim::run(plan_of(row, 20, true), {});  // compiled
    const Plan unchecked = plan_of(row, periods, false), checked = plan_of(row, periods, true);
    Cost without, with;
    for (int repeat = 0; repeat < 5; ++repeat) measure(unchecked, without), measure(checked, with);
    const double steps = with.checked / with.steps, time = with.seconds / without.seconds;
    fmt::print("{:<34}{:>7}{:>9}{:>10.3f}{:>9.4f}{:>8.3f}x\n", row.work, row.points, row.paths, without.seconds, steps,
               time);
    const std::string what = fmt::format("{}, {} points of {} paths", row.work, row.points, row.paths);
    require_at_most(what + ", steps", steps, 0.05);
    require_at_most(what + ", time", time, 1.10);
    std::fflush(stdout);
  }
}

}  // namespace bmsim::bench
