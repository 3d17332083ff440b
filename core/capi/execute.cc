// bm_run_execute, bm_run_plan and bm_run_dry: from a run to a result.
#include <algorithm>
#include <optional>

#include "backend/cache.h"
#include "backend/memory.h"
#include "backend/warn.h"
#include "capi/objects.h"
#include "engine/estimates.h"
#include "engine/run.h"
#include "engine/step_error.h"
#include "output/table.h"
#include "output/warnings.h"
#include "plan/memory.h"

using namespace bmsim;

namespace {

/// The table's first columns: the swept names.
Table swept_columns(const Sweep& sweep) {
  Table table;
  for (size_t i = 0; i < sweep.names().size(); ++i) table.columns.push_back({sweep.names()[i], sweep.values()[i]});
  return table;
}

void add_column(Table& table, const std::string& name, const std::vector<Estimate>& estimates) {
  Column value{name, {}}, error{name + "_err", {}};
  for (const Estimate& estimate : estimates) {
    value.values.push_back(estimate.value);
    error.values.push_back(estimate.error);
  }
  table.columns.push_back(std::move(value));
  table.columns.push_back(std::move(error));
}

void add_estimates(Table& table, const Plan& plan, const RunOutcome& outcome) {
  size_t i = 0;
  for (const auto& observable : plan.observables)
    for (const std::string& name : observable->columns()) {
      add_column(table, name, outcome.estimates[i]);
      if (!outcome.step_errors.empty()) {
        add_column(table, name + "_step", outcome.step_errors[i]);
        add_column(table, name + "_extrapolated", outcome.extrapolated[i]);
      }
      ++i;
    }
}

/// Adds columns for what the run chose at every point.
void add_choices(Table& table, const Plan& plan, const RunOutcome& outcome) {
  if (plan.options.find_transient) {
    Column& transient = table.columns.emplace_back(Column{"transient", {}});
    for (const Point& point : plan.points) transient.values.push_back(point.facts.transient);
  }
  for (const Choice& choice : outcome.choices) table.columns.push_back({choice.name, choice.values});
  if (outcome.reached.empty()) return;
  table.columns.push_back({"paths", {outcome.paths.begin(), outcome.paths.end()}});
  table.columns.push_back({"reached", {outcome.reached.begin(), outcome.reached.end()}});
}

/// Replaces -0 by 0.
void without_minus_zero(std::vector<double>& values) {
  for (double& value : values) value += 0.0;
}

/// Makes the result of a run, without a header. Takes the arrays out of the outcome.
bm_result* finish(const bm_run& run, Plan plan, RunOutcome& outcome, bool dry) {
  auto result = std::make_unique<bm_result>();
  result->table = swept_columns(run.sweep);
  add_estimates(result->table, plan, outcome);
  add_choices(result->table, plan, outcome);
  result->arrays = std::move(outcome.arrays);
  for (Column& column : result->table.columns) without_minus_zero(column.values);
  for (Array& array : result->arrays) without_minus_zero(array.values);
  result->info = make_info(plan, outcome);
  result->sweep = run.sweep;
  result->script = run.options.script;
  result->dry = dry;
  result->session = run.session;
  result->overwrite = run.options.overwrite;
  result->plan = std::move(plan);
  return result.release();
}

/// Estimates and arrays of the right shapes, all NaN.
RunOutcome nothing_measured(const Plan& plan) {
  Estimates none(plan);
  RunOutcome nothing;
  nothing.device = plan.options.device;
  nothing.estimates = none.take_columns();
  nothing.arrays = none.take_arrays();
  if (!plan.options.targets.empty() || !plan.options.tolerances.empty()) {
    nothing.paths.assign(plan.points.size(), 0);
    nothing.reached.assign(plan.points.size(), false);
  }
  if (!is_coupled(plan.options)) return nothing;
  nothing.step_errors = nothing.extrapolated = nothing.estimates;
  const std::vector<Array> steps = step_arrays(nothing.arrays);
  nothing.arrays.insert(nothing.arrays.end(), steps.begin(), steps.end());
  if (plan.options.tolerances.empty()) return nothing;
  for (const char* name : chosen_to_tolerance)
    nothing.choices.push_back(
        {name, std::vector<double>(plan.points.size(), std::numeric_limits<double>::quiet_NaN())});
  return nothing;
}

void check_output(const bm_run& run, const Plan& plan) {
  if (!run.options.output.empty()) run.session->check_output_file(run.options.output, run.options.overwrite);
  if (!run.options.output.empty())
    check_space(run.session->place_of(run.options.output),
                output_bytes(result_size(plan, run.sweep), run.options.output));
  if (!plan.options.keep_source.empty()) prepare_kept_files(plan.options.keep_source);
}

Plan checked_plan(const bm_run& run) {
  Plan plan = make_plan(run.model, run.sweep, run.session->overridden(run.options));
  check_output(run, plan);
  return plan;
}

/// Reports all warnings; with --strict then throws the first one as an error.
void tell_warnings(const Session& session, const std::vector<std::string>& warnings) {
  for (const std::string& warning : warnings) session.warn(warning);
  if (!warnings.empty() && session.strict()) fail("{} (--strict)", warnings.front());
}

/// Adds the check of the step and the warnings to the result's columns, info and manifest.
void add_checks(bm_result& result, const bm_run& run, const RunOutcome& outcome,
                const std::vector<std::string>& warnings) {
  result.info.emplace_back("step_check", step_check_text(result.plan, run.sweep, outcome));
  result.info.emplace_back("transient_check", transient_check_text(result.plan, run.sweep, outcome));
  result.info.emplace_back("warnings", fmt::format("{}", fmt::join(warnings, "\n")));
  result.table.header = make_header(result.plan, run.sweep, result.info, run.options.script);
  std::vector<double> marks = step_warning_marks(result.plan, outcome.step_check);
  if (std::ranges::count(marks, 1) > 0) result.table.columns.push_back({"step_warning", marks});
  result.evaluated["step_warning"] = std::move(marks);
  for (Column& column : step_check_columns(result.plan, outcome.step_check))
    result.evaluated[column.name] = std::move(column.values);
}

/// Passes warnings of this thread to the session.
WarningScope heard_by(const Session& session) {
  return WarningScope([&session](const std::string& text) { session.warn(text); });
}

/// A run under way. Its end clears the cancellation that was meant for it.
class UnderWay {
 public:
  explicit UnderWay(bm_run& run) : run_(run) { run.session->begin_run(); }
  ~UnderWay() {
    run_.session->end_run();
    run_.cancelled = false;
  }
  UnderWay(const UnderWay&) = delete;
  UnderWay& operator=(const UnderWay&) = delete;

 private:
  bm_run& run_;
};

RunHooks hooks_of(const bm_run& run, uint64_t interrupts, const Task::Tell& tell) {
  RunHooks hooks;
  hooks.journal = run.session->journal();
  hooks.interrupted = [&run, interrupts] { return run.cancelled || run.session->interrupts() != interrupts; };
  if (!tell && !run.session->hears_progress()) return hooks;
  hooks.progress = [&run, tell](const Progress& progress) {
    const bm_progress told{progress.fraction, progress.steps_per_second, progress.seconds_left,
                           progress.worst_relative_error};
    if (tell) tell(told);
    run.session->tell(told);
  };
  return hooks;
}

}  // namespace

std::string bmsim::duration_text(double seconds) {
  if (seconds < 10) return fmt::format("{:.2g} s", seconds);
  if (seconds < 120) return fmt::format("{:.0f} s", seconds);
  constexpr double hour = 3600, day = 24 * hour, year = 365.25 * day;
  if (seconds < 2 * hour) return fmt::format("{:.0f} min", seconds / 60);
  if (seconds < 3 * day) return fmt::format("{:.1f} h", seconds / hour);
  return seconds < 2 * year ? fmt::format("{:.0f} days", seconds / day) : fmt::format("{:.2g} years", seconds / year);
}

std::unique_ptr<bm_result> bmsim::execute(bm_run& run, uint64_t interrupts, const Task::Tell& tell) {
  const UnderWay under_way(run);
  const WarningScope scope = heard_by(*run.session);
  const RunHooks hooks = hooks_of(run, interrupts, tell);
  std::optional<InterruptionScope> heard(std::in_place, check_of(hooks));
  check_interruption();
  Plan plan = checked_plan(run);
  const std::vector<std::string> before = plan.warnings;  // reported now: the run may be long
  tell_warnings(*run.session, before);
  const Expected expectation = expected(plan);
  if (run.session->hears_notices())
    if (const std::string text = cost_text(run, plan, expectation); !text.empty()) run.session->notify(text);
  if (plan.options.find_transient)
    plan.warnings.push_back(unsettled_text(plan, run.sweep, find_transients(plan, hooks)));
  RunOutcome outcome = bmsim::run(plan, hooks);
  heard.reset();  // what is finished is kept
  outcome.expected_seconds = expectation.seconds;
  gather_devices(outcome);
  const std::vector<std::string> warnings = warnings_of(plan, run.sweep, outcome);
  if (outcome.diverged.size() == plan.points.size()) fail("{}", divergence_text(plan, run.sweep, outcome));
  std::unique_ptr<bm_result> result(finish(run, std::move(plan), outcome, false));
  add_checks(*result, run, outcome, warnings);
  if (!run.options.output.empty()) write_result(*result, run.options.output);
  tell_warnings(*run.session, {warnings.begin() + static_cast<ptrdiff_t>(before.size()), warnings.end()});
  return result;
}

extern "C" {

const char* bm_run_plan(bm_run* run) {
  return guarded_pointer([&] {
    const WarningScope warnings = heard_by(*idle(run).session);
    const Interruptible heard(*run->session, "run");
    Plan plan = checked_plan(*run);
    const Cost run_cost = cost(plan);
    const Expected time = expected(plan);
    std::string& text = run->plan_text;
    text = fmt::format("points      {}\npaths       {} per point\nmethod      {}, increments {}, {} precision\n",
                       plan.points.size(), plan.options.paths, method_name(plan.kernel.method),
                       increments_name(plan.kernel.increments), precision_name(plan.kernel.precision));
    if (!plan.why_method.empty()) text += fmt::format("            auto: {}\n", plan.why_method);
    text += fmt::format("steps       {:.3g}{}\n", plan.total_steps(),
                        plan.options.tolerances.empty() && plan.options.targets.empty() ? "" : " to begin with");
    text += memory_text(memory_of(plan, run_cost.bytes_per_trajectory));
    const ResultSize size = result_size(plan, run->sweep);
    text += fmt::format("            {} for {} and results, on this computer\n",
                        size_text(bytes_of_points(plan, plan.points.size()) + bytes_of_results(plan, size)),
                        plan.points.size() == 1 ? "the point" : "all points");
    if (!run->options.output.empty())
      text += fmt::format("file        {} at most: '{}'\n", size_text(output_bytes(size, run->options.output)),
                          run->options.output);
    if (run_cost.steps_per_second > 0)
      text += fmt::format("time        about {} (at {:.3g} steps/s, as measured before)\n",
                          duration_text(plan.total_steps() / run_cost.steps_per_second), run_cost.steps_per_second);
    else
      text += fmt::format("time        about {}, if this model is as fast as most are (it has not run here yet)\n",
                          duration_text(time.seconds));
    if (const std::string why = cost_text(*run, plan, time); !why.empty())
      text += fmt::format("            {}\n", why.substr(why.find("; ") + 2));
    run->planned = {std::move(plan), run->session->settings()};
    return text.c_str();
  });
}

bm_result* bm_run_execute(bm_run* run) {
  return guarded_pointer([&] { return execute(idle(run), run->session->interrupts(), {}).release(); });
}

bm_result* bm_run_dry(bm_run* run) {
  return guarded_pointer([&] {
    std::optional<bm_run::Planned> planned;
    planned.swap(run->planned);
    const WarningScope warnings = heard_by(*idle(run).session);
    const Interruptible heard(*run->session, "run");
    const bool known = planned && planned->settings == run->session->settings();
    Plan plan = known ? std::move(planned->plan) : checked_plan(*run);
    if (known) check_output(*run, plan);
    make_backend(plan.options.device, 1);  // throws if the device is missing
    tell_warnings(*run->session, plan.warnings);
    RunOutcome nothing = nothing_measured(plan);
    nothing.expected_seconds = expected(plan).seconds;
    std::unique_ptr<bm_result> result(finish(*run, std::move(plan), nothing, true));
    add_checks(*result, *run, nothing, result->plan.warnings);
    return result.release();
  });
}

}  // extern "C"
