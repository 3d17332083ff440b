// What observables cost: the time of a whole run with them over that of the same run with the velocity alone.
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
  const char* what;
  ObservableRequest observable;
  double required;  ///< at most, 0 for none
  bool underdamped_only = false;
};

ObservableRequest correlation(double lags, double origins) {
  return {"correlation", {{"lags", {lags}}, {"origins", {origins}}, {"step", {1.1}}}};
}

std::vector<Row> rows() {
  return {{"density, 200 times", {"density", {}}, 1.15},
          {"density, 1000 times", {"density", {{"count", {1000}}}}, 0},
          {"moments, 1000 times", {"moments", {{"count", {1000}}}}, 1.10},
          {"correlation, 50 of 1000 times", correlation(50, 951), 1.10, true},
          {"correlation, 500 of 1000 times", correlation(500, 501), 0, true},
          {"joint density, 200 times", {"joint_density", {{"range", {-6, 6}}}}, 0, true},
          {"fractional moment, 50 times", {"fractional_moment", {}}, 0},
          {"current, 1 interval", {"current", {}}, 0},
          {"first passage", {"first_passage", {{"to", {5}}}}, 0},
          {"residence", {"residence", {{"from", {-1}}, {"to", {1}}}}, 0},
          {"lyapunov", {"lyapunov", {}}, 0},
          {"mobility (two ensembles)", {"mobility", {}}, 0}};
}

double seconds(const Model& model, RunOptions run, const ObservableRequest& observable) {
  run.observables = {observable};
  double best = 1e300;
  for (int repeat = 0; repeat < 3; ++repeat) best = std::min(best, bmsim::run(make_plan(model, {}, run), {}).seconds);
  return best;
}

void print_model(const char* name, const Model& model) {
  RunOptions run = options();
  run.check_step = false;
  const bool gpu = run.device.starts_with("cuda");
  run.paths = gpu ? 1u << 19 : 1536;
  run.spp = 400;
  run.periods = 1000;
  const double alone = seconds(model, run, "velocity");
  fmt::print("{}, {} paths: {:.3f} s with the velocity alone\n", name, run.paths, alone);
  for (const Row& row : rows()) {
    if (row.underdamped_only && !model.underdamped()) continue;
    if (row.observable.name == "lyapunov" && !model.potential().plugin->has(BM_SMOOTH)) continue;
    const double ratio = seconds(model, run, row.observable) / alone;
    const std::string required = row.required > 0 ? fmt::format("  (required: {:.2f})", row.required) : "";
    fmt::print("  {:<32}{:>7.3f}x{}\n", row.what, ratio, required);
    if (row.required > 0) require_at_most(fmt::format("{}, time: {}", name, row.what), ratio, row.required);
    std::fflush(stdout);
  }
}

}  // namespace

void print_observables() {
  print_model("Model I", models().jumps);
  print_model("underdamped, driven, thermal", models().inertial);
}

}  // namespace bmsim::bench
