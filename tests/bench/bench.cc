// Speed on one core as ratios to a plain scalar C++ program that follows the founding paper's algorithm, from one run:
// with sinf, as the paper's authors have it, and with floor (underdamped rows: to a scalar program of the same model).
// --gpu: absolute rates on a GPU; --speedup: as the paper's figures; --observables: what they cost;
// --tolerance: what it saves; --checks: what the check of the step costs; --waits: plans, compilation, walls, zeros;
// --systems [SECONDS]: of several variables, in runs of this length, short ones for a profiler. A step is one
// trajectory advanced by one dt. Ends with status 1 if a ratio is not what it must be (requirements.h).
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include "baseline.h"
#include "benchmarks.h"
#include "ensemble.h"
#include "models.h"
#include "requirements.h"

using namespace bmsim;
using namespace bmsim::test;
using namespace bmsim::reference;

namespace {

struct Row {
  const char* work;
  Model model;
  double spp;
  const char *method, *increments, *precision;
  double required;  ///< ratio to the sinf program; of double: to the same row in single precision
  int single_row;   ///< of double rows: the row in single precision
};

std::vector<Row> rows() {
  const auto [jumps, thermal, smooth, flipping, both, inertial, written] = bench::models();
  return {{"Model I, piecewise linear, D_G = 0", jumps, 400, "heun", "auto", "single", 80, -1},
          {"Model I, piecewise linear, D_G = 0", jumps, 400, "platen", "auto", "single", 60, -1},
          {"Model I, piecewise linear, D_G = 0", jumps, 50, "heun", "auto", "single", 0, -1},
          {"Model I, piecewise linear, D_G = 0.1", thermal, 400, "heun", "three_point", "single", 45, -1},
          {"Model I, piecewise linear, D_G = 0.1", thermal, 400, "heun", "near_gaussian", "single", 30, -1},
          {"Model I, piecewise linear, D_G = 0.1", thermal, 400, "heun", "gaussian", "single", 0, -1},
          {"Model I, sine, D_G = 0.1", smooth, 400, "platen", "auto", "single", 28, -1},
          {"Model I, sine, D_G = 0.1", smooth, 400, "heun", "auto", "single", 0, -1},
          {"the same, V a formula", written, 400, "heun", "auto", "single", 0, -1},
          {"Model II, piecewise linear, D_G = 0", flipping, 200, "heun", "auto", "single", 50, -1},
          {"Model I, piecewise linear, D_G = 0", jumps, 400, "heun", "auto", "double", 0.5, 0},
          {"Model I, sine, D_G = 0.1", smooth, 400, "platen", "auto", "double", 0.4, 6},
          {"Model I, literal algorithm", thermal, 400, "paper", "auto", "single", 0, -1},
          {"underdamped, driven, thermal", inertial, 200, "aboba", "auto", "single", 15, -1},
          {"underdamped, driven, thermal", inertial, 200, "heun", "auto", "single", 0, -1},
          {"Model I, piecewise linear, D_G = 0", jumps, 400, "exact", "auto", "single", 4000, -1},
          {"Model I, piecewise linear, D_G = 0", jumps, 400, "exact", "auto", "double", 0, -1},
          {"Model II, piecewise linear, D_G = 0", flipping, 200, "exact", "auto", "single", 0, -1}};
}

// Steps per second in launches, the best of three runs of about half a second.
double rate(const Row& row) {
  RunOptions run = options();
  run.check_step = false;
  run.threads = 1;
  run.paths = 1536;
  run.spp = row.spp;
  run.method = row.method;
  run.increments = row.increments;
  run.precision = row.precision;
  double best = 0;
  double periods = 20;
  for (int repeat = 0; repeat < 4; ++repeat) {
    run.periods = periods;
    const RunOutcome outcome = sample(row.model, run).outcome;
    best = std::max(best, outcome.steps_per_second);
    periods = std::max(20.0, 0.5 * outcome.steps_per_second / (static_cast<double>(run.paths) * row.spp));
  }
  return best;
}

// The baselines run before every row, so that a machine that changes its pace is seen in both.
struct Baselines {
  double with_sin, with_floor;
};
Baselines baselines(const Model& model) {
  if (model.underdamped()) {
    double rate = 0;
    for (int repeat = 0; repeat < 3; ++repeat)
      rate = std::max(rate, inertial_baseline_rate(200, 0.1, BaselinePrecision::single_, nullptr, 0.2));
    return {rate, rate};
  }
  auto best = [](BaselineForce force) {
    double rate = 0;
    for (int repeat = 0; repeat < 3; ++repeat)
      rate = std::max(rate, baseline_rate(BaselineModel::poissonian, BaselinePotential::piecewise_linear, force, 0, 400,
                                          BaselinePrecision::single_, nullptr, 0.2));
    return rate;
  };
  return {best(BaselineForce::sine_sign), best(BaselineForce::floor)};
}

void print_rows() {
  fmt::print("{:<38}{:>4}  {:<7}{:<14}{:<7}{:>9}{:>9}{:>9}{:>13}\n", "work", "spp", "method", "increments", "reals",
             "1e9 /s", "/ sinf", "/ floor", "required");
  std::vector<double> rates;
  for (const auto& row : rows()) {
    const Baselines base = baselines(row.model);
    const double r = rate(row);
    rates.push_back(r);
    std::string required = row.required > 0 ? fmt::format("{}x", row.required) : "";
    if (row.single_row >= 0)
      required = fmt::format("{:.2f} of {}", r / rates[static_cast<size_t>(row.single_row)], row.required);
    if (row.required > 0) {
      const double base_rate = row.single_row >= 0 ? rates[static_cast<size_t>(row.single_row)] : base.with_sin;
      bench::require_at_least(fmt::format("{}, {} {} {}{}", row.work, row.method, row.increments, row.precision,
                                          row.single_row >= 0 ? " / single" : ""),
                              r / base_rate, row.required);
    }
    fmt::print("{:<38}{:>4}  {:<7}{:<14}{:<7}{:>9.3f}{:>8.1f}x{:>8.1f}x{:>13}\n", row.work, row.spp, row.method,
               row.increments, row.precision, r * 1e-9, r / base.with_sin, r / base.with_floor, required);
    std::fflush(stdout);
  }
}

// From nothing to the end of a run of one launch, with a kernel that is in the cache.
void print_start() {
  using Clock = std::chrono::steady_clock;
  RunOptions run = options();
  run.check_step = false;
  run.paths = 16;
  run.periods = 1;
  const Model model = bench::models().jumps;
  sample(model, run);
  const auto before = Clock::now();
  const Sample cached = sample(model, run);
  const double seconds = std::chrono::duration<double>(Clock::now() - before).count();
  fmt::print("\ncached kernel: {:.1f} ms from the plan to the result of one launch (required: 100)\n", seconds * 1e3);
  const auto both = sample(bench::models().both, run).outcome.bytes_per_trajectory;
  fmt::print("memory: {} bytes per trajectory in Model I, {} with both noises (required: 64)\n",
             cached.outcome.bytes_per_trajectory, both);
  bench::require_at_most("bytes per trajectory, Model I with both noises", static_cast<double>(both), 64);
}

}  // namespace

int main(int count, char** words) {
  const std::string_view what = count > 1 ? words[1] : "";
  if (what == "--gpu") {
    bench::print_gpu_rows();
    return 0;
  }
  if (what == "--observables") {
    bench::print_observables();
    return bench::report_requirements();
  }
  if (what == "--tolerance") {
    bench::print_tolerance();
    return bench::report_requirements();
  }
  if (what == "--checks") {
    bench::print_checks();
    return bench::report_requirements();
  }
  if (what == "--waits") {
    bench::print_waits();
    return bench::report_requirements();
  }
  if (what == "--systems") {
    bench::print_systems(count > 2 ? std::atof(words[2]) : 1);
    return bench::report_requirements();
  }
  if (what == "--speedup") {
    bench::print_speedups();
    return 0;
  }
  const Baselines base = baselines(bench::models().jumps);
  fmt::print(
      "plain scalar C++, single precision, Model I, spp 400: {:.1f}e6 steps/s with sinf, {:.0f}e6 with floor\n\n",
      base.with_sin * 1e-6, base.with_floor * 1e-6);
  print_rows();
  print_start();
  return bench::report_requirements();
}
