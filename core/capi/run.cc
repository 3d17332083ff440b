// bm_run_*: runs, from options to a result.
#include <algorithm>
#include <atomic>
#include <climits>
#include <cmath>
#include <limits>

#include "backend/kept_files.h"
#include "capi/objects.h"
#include "engine/run.h"

using namespace bmsim;

namespace {

std::atomic<bool> interrupted{false};
void (*report_progress)(double, double, double, double) = nullptr;

/// A number that must be whole: counts and seeds come as double from scripts.
uint64_t whole(std::string_view option, double value, double least) {
  if (!(value >= least && value <= 9007199254740992.0 && value == std::floor(value)))
    fail("run: {} must be a whole number >= {}, got {}", option, least, value);
  return static_cast<uint64_t>(value);
}

void set_number(RunOptions& options, std::string_view option, double value) {
  if (option == "paths")
    options.paths = whole(option, value, 1);
  else if (option == "seed")
    options.seed = whole(option, value, 0);
  else if (option == "chunk")
    options.chunk = whole(option, value, 0);
  else if (option == "memory")
    options.memory = whole(option, value, 0);
  else if (option == "threads")
    options.threads = static_cast<unsigned>(std::min<uint64_t>(whole(option, value, 0), UINT_MAX));
  else if (option == "transient")
    options.transient = value;
  else if (option == "periods")
    options.periods = value;
  else if (option == "time")
    options.time = value;
  else if (option == "spp")
    options.spp = value;
  else if (option == "dt")
    options.dt = value;
  else
    fail("run: unknown number '{}'", option);
}

bool phase_is_random(std::string_view word) {
  if (word != "fixed" && word != "uniform") fail("initial: phase must be fixed or uniform, got '{}'", word);
  return word == "uniform";
}

/// Columns before anything is measured: what is swept.
Table swept_columns(const Sweep& sweep) {
  Table table;
  for (size_t i = 0; i < sweep.names().size(); ++i) table.columns.push_back({sweep.names()[i], sweep.values()[i]});
  return table;
}

void add_estimates(Table& table, const Plan& plan, const RunOutcome& outcome) {
  size_t i = 0;
  for (const auto& observable : plan.observables)
    for (const std::string& name : observable->columns()) {
      Column value{name, {}}, error{name + "_err", {}};
      for (const auto& estimate : outcome.estimates[i]) {
        value.values.push_back(estimate.value);
        error.values.push_back(estimate.error);
      }
      ++i;
      table.columns.push_back(std::move(value));
      table.columns.push_back(std::move(error));
    }
}

bm_result* finish(const bm_run& run, Plan plan, const RunOutcome& outcome, bool dry) {
  auto result = std::make_unique<bm_result>();
  result->table = swept_columns(run.sweep);
  add_estimates(result->table, plan, outcome);
  result->arrays = outcome.arrays;
  result->info = make_info(plan, outcome);
  result->table.header = make_header(plan, run.sweep, result->info, run.script);
  result->sweep = run.sweep;
  result->script = run.script;
  result->dry = dry;
  result->plan = std::move(plan);
  return result.release();
}

Plan checked_plan(const bm_run& run) {
  Plan plan = make_plan(run.model, run.sweep, overridden(run.options));
  if (!run.output.empty()) check_output(place_of(run.output));
  if (!plan.options.keep_source.empty()) prepare_kept_files(plan.options.keep_source);
  return plan;
}

void warn_diverged(const bm_run& run, const Divergence& one) {
  fmt::print(stderr, "bmsim: {}\n", divergence_text(run.sweep, one));
}

std::string duration_text(double seconds) {
  if (seconds < 120) return fmt::format("{:.2g} s", seconds);
  return seconds < 7200 ? fmt::format("{:.0f} min", seconds / 60) : fmt::format("{:.1f} h", seconds / 3600);
}

}  // namespace

extern "C" {

void bm_interrupt() { interrupted = true; }
void bm_set_progress(void (*report)(double, double, double, double)) { report_progress = report; }

bm_run* bm_run_new(const bm_model* model) {
  return guarded_pointer([&] {
    auto run = std::make_unique<bm_run>();
    run->model = model->model;
    return run.release();
  });
}
void bm_run_free(bm_run* run) { delete run; }

bm_status bm_run_add_axis(bm_run* run, const char* const* names, size_t name_count, const double* values,
                          size_t length) {
  return guarded([&] {
    std::vector<std::vector<double>> columns;
    for (size_t i = 0; i < name_count; ++i) columns.emplace_back(values + i * length, values + (i + 1) * length);
    run->sweep.add_axis({names, names + name_count}, std::move(columns));
  });
}
bm_status bm_run_set_column(bm_run* run, const char* name, const double* values, size_t count) {
  return guarded([&] { run->sweep.set_column(name, {values, values + count}); });
}
size_t bm_run_points(const bm_run* run) { return run->sweep.points(); }
bm_status bm_run_set_number(bm_run* run, const char* option, double value) {
  return guarded([&] { set_number(run->options, option, value); });
}
bm_status bm_run_set_text(bm_run* run, const char* option, const char* value) {
  return guarded([&] {
    const std::string_view name = option;
    if (name == "method")
      run->options.method = value;
    else if (name == "precision")
      run->options.precision = value;
    else if (name == "increments")
      run->options.increments = value;
    else if (name == "device")
      run->options.device = value;
    else if (name == "phase")
      run->options.random_phases = phase_is_random(value);
    else if (name == "output")
      run->output = *value != '\0' ? value : throw Error("output: must be a file's name, got ''");
    else if (name == "script")
      run->script = value;
    else
      fail("run: unknown text '{}'", name);
  });
}
bm_status bm_run_set_start(bm_run* run, const char* variable, double centre, double width, double deviation,
                           double count) {
  return guarded([&] {
    const std::string_view name = variable;
    if (name != "x" && name != "v") fail("initial: unknown variable '{}'; known: x, v", name);
    for (const double number : {centre, width, deviation})
      if (!std::isfinite(number)) fail("initial: {} must be finite, got {}", name, number);
    if (width < 0 || deviation < 0)
      fail("initial: {} must have a width and a deviation >= 0, got {} and {}", name, width, deviation);
    if (!(count >= 0 && count <= UINT_MAX && count == std::floor(count)))
      fail("initial: {} must have a count that is a whole number >= 1, got {}", name, count);
    (name == "x" ? run->options.start_x : run->options.start_v) = {centre, width, deviation,
                                                                   static_cast<uint32_t>(count)};
  });
}
bm_status bm_run_observe(bm_run* run, const char* observable, size_t options, const char* const* names,
                         const double* const* values, const size_t* counts) {
  return guarded([&] {
    auto& asked = run->options.observables;
    for (const auto& other : asked)
      if (other.name == observable) fail("observe: '{}' is asked for twice", observable);
    std::map<std::string, std::vector<double>> numbers;
    for (size_t i = 0; i < options; ++i) numbers[names[i]].assign(values[i], values[i] + counts[i]);
    asked.push_back({observable, std::move(numbers)});
    make_observable(asked.back());
  });
}

const char* bm_run_plan(bm_run* run) {
  return guarded_pointer([&] {
    const Plan plan = checked_plan(*run);
    const Cost known = cost(plan);
    std::string& text = run->plan_text;
    text = fmt::format("points      {}\npaths       {} per point\nmethod      {}, increments {}, {} precision\n",
                       plan.points.size(), plan.options.paths, method_name(plan.kernel.method),
                       increments_name(plan.kernel.increments), plan.options.precision);
    text +=
        fmt::format("steps       {:.3g}\nmemory      {:.3g} MB of trajectories, {:.0f} B each\n", plan.total_steps(),
                    known.bytes_per_trajectory * static_cast<double>(plan.options.paths * plan.points.size()) / 1e6,
                    known.bytes_per_trajectory);
    if (known.steps_per_second > 0)
      text += fmt::format("time        about {} (at {:.3g} steps/s, as measured before)\n",
                          duration_text(plan.total_steps() / known.steps_per_second), known.steps_per_second);
    else
      text += "time        not known before this model's first run on this machine\n";
    return text.c_str();
  });
}

bm_result* bm_run_execute(bm_run* run) {
  interrupted = false;
  return guarded_pointer([&] {
    Plan plan = checked_plan(*run);
    RunHooks hooks;
    hooks.interrupted = [] { return interrupted.load(); };
    if (report_progress != nullptr)
      hooks.progress = [](const Progress& p) {
        report_progress(p.fraction, p.steps_per_second, p.seconds_left, p.worst_relative_error);
      };
    const RunOutcome outcome = bmsim::run(plan, hooks);
    for (const auto& one : outcome.diverged) warn_diverged(*run, one);
    std::unique_ptr<bm_result> result(finish(*run, std::move(plan), outcome, false));
    if (!run->output.empty()) write_result(*result, run->output);
    return result.release();
  });
}

bm_result* bm_run_dry(bm_run* run) {
  return guarded_pointer([&] {
    Plan plan = checked_plan(*run);
    make_backend(plan.options.device, 1);  // a device that is not there is found out now
    RunOutcome nothing;
    nothing.device = plan.options.device;
    constexpr double nan = std::numeric_limits<double>::quiet_NaN();
    size_t columns = 0;
    for (const auto& observable : plan.observables) columns += observable->columns().size();
    nothing.estimates.assign(columns, std::vector<Estimate>(plan.points.size(), {nan, nan}));
    return finish(*run, std::move(plan), nothing, true);
  });
}

}  // extern "C"
