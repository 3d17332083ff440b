#include "engine/run.h"

#include <unistd.h>

#include <algorithm>
#include <optional>
#include <sstream>

#include "compose/trajectory.h"
#include "engine/progress.h"
#include "engine/runner.h"
#include "engine/step_check.h"
#include "engine/step_error.h"
#include "error.h"
#include "journal/journal.h"
#include "plan/memory.h"
#include "world/world.h"

namespace bmsim {

namespace {

/// Checks that both ends of all paths of a point fit into memory, where they are kept until the point is complete, and
/// that their recordings do, if a point takes several batches.
void check_paths(const Plan& plan) {
  const auto memory = static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE));
  const uint64_t most = memory / (2 * sizeof(double)) / 2;
  if (plan.paths > most) fail("run: paths must be at most {} for a point to fit into memory, got {}", most, plan.paths);
  check_recordings(plan);
}

}  // namespace

RunOutcome run_once(const EnsemblePlan& plan, const RunHooks& hooks) {
  const InterruptionScope heard(check_of(hooks));
  RunOutcome outcome;
  const Compiled compiled = compile(plan, outcome);
  Estimates estimates(plan);
  Runner runner(plan, hooks, compiled.backends, compiled.kernels, outcome, [&](size_t point, const ShareResult& share) {
    estimates.add(point, share.columns, share.arrays, share.pooled);
  });
  runner.run_shares(replicas_of_each(plan));
  outcome.estimates = estimates.take_columns();
  outcome.arrays = estimates.take_arrays();
  return outcome;
}

bool complete(const RunOutcome& outcome) {
  const auto all_true = [](const std::vector<bool>& points) { return std::ranges::count(points, false) == 0; };
  return outcome.finished.empty() || (all_true(outcome.finished) && all_true(outcome.reached));
}

void check_interrupted(const RunHooks& hooks) {
  if (!hooks.interrupted || !hooks.interrupted()) return;
  if (hooks.journal == nullptr) throw Interruption("run: interrupted");
  hooks.journal->sync(true);
  const std::string place = hooks.journal->directory().string();
  throw Interruption(
      fmt::format("run: interrupted; what was finished is in '{}', and the same command goes on from there", place),
      BM_UNFINISHED);
}

InterruptionCheck check_of(const RunHooks& hooks) {
  if (!hooks.interrupted) return interruption_check();
  return [&hooks] { check_interrupted(hooks); };
}

void keep_finished(const Interruption& end, std::vector<bool> finished, RunOutcome& outcome) {
  const bool any = std::ranges::count(finished, true) > 0;
  if (end.status() != BM_INTERRUPTED || World::instance().size() > 1 || !any) throw;
  outcome.finished = std::move(finished);
  std::erase_if(outcome.diverged, [&](const Divergence& divergence) { return !outcome.finished[divergence.point]; });
}

RunOutcome run(const Plan& plan, const RunHooks& hooks) {
  check_paths(plan);
  if (plan.options.step_error) return run_with_step_error(plan, hooks);
  if (!plan.options.tolerances.empty()) return run_to_tolerance(plan, hooks);
  RunOutcome outcome;
  std::optional<InterruptionScope> heard(std::in_place, check_of(hooks));
  const Compiled compiled = compile(plan, outcome);
  const auto started = Clock::now();
  Estimates estimates(plan);
  Halves halves(plan);
  const bool targeted = !plan.options.targets.empty();
  Forecast forecast([&] { return expected_steps(plan, estimates); }, hooks.progress);
  RunHooks shown = hooks;
  if (hooks.progress)
    shown.progress = [&](Progress progress) {
      progress.worst_relative_error = estimates.worst_relative_error();
      targeted ? forecast.tell(progress) : hooks.progress(progress);
    };
  Runner runner(plan, shown, compiled.backends, compiled.kernels, outcome, [&](size_t point, const ShareResult& share) {
    estimates.add(point, share.columns, share.arrays, share.pooled);
    halves.add(point, share.halves);
  });
  StepChecker checker(plan, hooks, compiled.backends, compiled.kernels);
  const auto run_round = [&](const std::vector<Share>& shares) {
    double steps = 0;
    for (const Share& share : shares) steps += plan.points[share.point].time.steps * static_cast<double>(plan.paths);
    forecast.begin(steps);
    runner.begin(shares);
    std::vector<Runner*> runners = checker.begin(shares);
    runners.insert(runners.begin(), &runner);
    Runner::run_round(runners);
  };
  const std::vector<Share> first = first_shares(plan);
  try {
    run_round(first);
    if (targeted)
      for (auto more = more_shares(plan, estimates); !more.empty(); more = more_shares(plan, estimates))
        run_round(more);
    if (targeted) forecast.end();
  } catch (const Interruption& end) {
    std::vector<bool> finished;
    for (size_t i = 0; i < plan.points.size(); ++i) {
      finished.push_back(estimates.shares(i) >= first.size() / plan.points.size());
      if (!finished.back()) estimates.forget(i), halves.forget(i);
    }
    keep_finished(end, std::move(finished), outcome);
  }
  if (World::instance().size() > 1) heard.reset();  // so that all ranks do the same
  try {
    if (outcome.finished.empty()) checker.find_orders(estimates);
  } catch (const Interruption&) {  // longer steps alone then tell the error
  }
  heard.reset();  // the rest is short, and no interruption is to lose a run that is done
  if (targeted)
    for (size_t i = 0; i < plan.points.size(); ++i) outcome.reached.push_back(reached(plan, estimates, i));
  for (size_t i = 0; i < plan.points.size(); ++i) outcome.paths.push_back(estimates.shares(i) * plan.paths);
  outcome.step_check = checker.compare(estimates);
  outcome.transient_check = check_transient(plan, halves);
  StepCheck& check = outcome.step_check;
  if (check.seen.empty() && check.text.empty())
    check.text = complete(outcome) ? "not checked: nothing that is recorded is at ends of longer steps, too"
                                   : "not checked: interrupted";
  outcome.estimates = estimates.take_columns();
  outcome.arrays = estimates.take_arrays();
  if (plan.options.check_step) check.layers = errors_in_layers(plan, outcome.estimates, outcome.arrays);
  outcome.seconds = seconds_since(started);
  outcome.steps_per_second = (outcome.steps - outcome.steps_known) / outcome.seconds;
  outcome.kernel_details = compiled.kernels[0]->details;
  if (outcome.seconds > 2 * LaunchLength::seconds)
    compiled.kernels[0]->record_rate(outcome.steps_per_second / static_cast<double>(compiled.kernels.size()));
  return outcome;
}

void gather_devices(RunOutcome& outcome) {
  World& world = World::instance();
  if (world.size() == 1) return;
  std::string mine;
  for (const DeviceWork& work : outcome.devices)
    mine += fmt::format("{}\t{:.17g}\t{:.17g}\n", work.name, work.steps, work.seconds);
  outcome.devices.clear();
  const FromRanks devices = world.gather("what devices have done", std::move(mine));
  for (size_t rank = 0; rank < devices.of.size(); ++rank) {
    std::istringstream lines(std::string(devices.of[rank]));
    for (std::string name; std::getline(lines, name, '\t');) {
      DeviceWork work{fmt::format("rank {}, {}", rank, name), 0, 0};
      lines >> work.steps >> work.seconds;
      lines.ignore();
      outcome.devices.push_back(work);
    }
  }
}

Cost cost(const Plan& plan) {
  check_paths(plan);
  const auto backend = make_backend(plan.execution.device, plan.execution.threads);
  const KernelOptions options = shaped(plan, *backend);
  const auto devices = static_cast<double>(device_count(plan.execution.device));
  return {devices * backend->recorded_rate(compose(plan.model, plan.points[0].values, options), is_brief(plan)),
          static_cast<double>(trajectory_bytes(plan.model, options))};
}

}  // namespace bmsim
