// Running a plan: batches of points and paths, launches with progress and interrupts between them, reduction per point.
#pragma once
#include <cstdint>
#include <functional>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "interruption.h"
#include "plan/plan.h"
#include "plan/transient_check.h"

namespace bmsim {

class Journal;

/// Progress of a run, reported between two launches.
struct Progress {
  double fraction = 0;          ///< done, in [0, 1]
  double steps_per_second = 0;  ///< mean so far
  double seconds_left = 0;      ///< INFINITY before anything is known
  /// Largest ratio of standard error to estimate over all points so far; NaN: not known.
  double worst_relative_error = std::numeric_limits<double>::quiet_NaN();
};

/// Hooks into a run; empty ones are not called.
struct RunHooks {
  std::function<void(const Progress&)> progress;
  std::function<bool()> interrupted;  ///< true ends the run with Interruption, see check_interrupted
  /// Receives all paths of a share of a point when the share is complete: a window for each variable.
  std::function<void(size_t point, std::span<const Window>)> window;
  Journal* journal = nullptr;  ///< keeps what is finished, and knows what was finished before
};

/// The first path of a point that diverged, and the step by which that was noticed.
struct Divergence {
  size_t point;
  uint64_t path;
  double step;
};

/// A number that a run chose at every point.
struct Choice {
  std::string name;
  std::vector<double> values;
};

/// Error of the step as found with longer steps, see engine/step_check.h.
struct StepCheck {
  /// One column at one point; or of all arrays of an observable the number with the largest error. resolution: smallest
  /// error of the step that would be seen with a probability of 95 %.
  struct Seen {
    static constexpr size_t no_column = SIZE_MAX;
    size_t column, point;  ///< indices in the plan; no_column for a number of an array
    double error, error_of_it, resolution;
    double doubt;    ///< of `error`: error_of_it, and what the step's higher orders may add to it
    double allowed;  ///< standard error of the run; where paths do not scatter, a part of the value
    bool warned;
    bool scatters = true;
    size_t observable = 0;  ///< index in the plan, of a number of an array
    std::string what{};     ///< "x_cumulant_2 at t = 10", of the same
    double value = 0;       ///< what the run has, of the same
    double order = 0;       ///< of the error
  };
  /// One column over all points that were checked, even if no single point shows an error: root mean square of the
  /// error of the step, in standard errors of the run.
  struct Together {
    size_t column, points;
    double standard_errors;
  };
  /// A number of a point that is wrong within the noise of a step at a kink, or where an amplitude jumps, see
  /// engine/kink_layers.h.
  struct Layer {
    std::string name;  ///< of the column, or of the observable
    size_t point;
    double error, value, standard_errors;
    double part;  ///< of the step that would do
    bool of_amplitude = false;
  };
  std::vector<Seen> seen;          ///< empty if nothing was checked
  std::vector<Together> together;  ///< columns in which it is above 2 and not explained by chance
  std::vector<Layer> layers;       ///< known, not seen with longer steps: whether or not something was checked
  std::vector<size_t> diverged;    ///< points at which only the longer steps diverge
  std::string text;                ///< why nothing was checked
  double steps = 0;                ///< of all paths with longer steps
};

/// What one of the devices of a run has done.
struct DeviceWork {
  std::string name;
  double steps = 0;
  double seconds = 0;  ///< spent in launches, by the device's clock; 0 if it has none
};

struct RunOutcome {
  std::vector<std::vector<Estimate>> estimates;  ///< by column of the observables in their order, by point
  std::vector<Array> arrays;                     ///< of the observables in their order
  /// By column and point: error of the step, and value with this error removed; empty if not estimated.
  std::vector<std::vector<Estimate>> step_errors, extrapolated;
  std::vector<uint64_t> paths;  ///< by point: number of paths in the estimates
  StepCheck step_check;
  TransientCheck transient_check;
  std::vector<std::string> warnings;  ///< of the whole run, a line each
  std::vector<Choice> choices;        ///< with a tolerance: dt of the finest level, number of levels, cost in steps
  std::vector<bool> reached;          ///< by point: whether all targets are reached; empty without targets
  /// Of a run that was interrupted, by point: whether it has estimates, from as many shares as a point begins with.
  /// Those of the others are nan. Empty if the run came to its end.
  std::vector<bool> finished;
  double expected_seconds = 0;  ///< see engine/work.h
  std::string device, kernel_details, kernel_source;
  std::string why_cpu;               ///< the reason if auto found no GPU
  std::vector<Divergence> diverged;  ///< points with a diverged path, whose estimates are NaN
  bool kernel_cached = false;
  uint64_t bytes_per_trajectory = 0;
  uint64_t batches = 0, launches = 0;
  double compile_seconds = 0;       ///< composing the kernel, and compiling or finding it
  double seconds = 0;               ///< from the first launch to the last result
  double device_seconds = 0;        ///< part of `seconds` spent in launches, by the device's clock; 0 if it has none
  unsigned ranks = 1;               ///< processes, see world/world.h
  std::vector<DeviceWork> devices;  ///< in the order of their list
  double steps = 0;                 ///< of all paths; 0 in a dry run
  double steps_known = 0;           ///< those of them that a journal had
  double steps_per_second = 0;
};

/// Runs a plan to its end, or until a hook interrupts it and at least one point is finished. Throws Error: status
/// device if there is no device or compiler; status part_done if the journal is one of several parts and the others are
/// not all there. Throws Interruption if no point is finished, or a journal keeps what is done.
RunOutcome run(const Plan& plan, const RunHooks& hooks);
/// Whether a point has estimates; one that has diverged has them, too.
inline bool finished(const RunOutcome& outcome, size_t point) {
  return outcome.finished.empty() || outcome.finished[point];
}
/// Whether a run has come to its end, or an interrupted one has nothing left to do.
bool complete(const RunOutcome& outcome);
/// Throws Interruption if a hook ends the run: status unfinished where a journal keeps what is done, else interrupted.
void check_interrupted(const RunHooks& hooks);
/// The same for check_interruption(), or that of the scope around the run where there is no hook. The hooks must
/// outlive it.
InterruptionCheck check_of(const RunHooks& hooks);
/// In a handler of an interruption: throws it again, unless it leaves finished points, which are then marked.
void keep_finished(const Interruption& end, std::vector<bool> finished, RunOutcome& outcome);
/// Adds what the devices of other ranks have done. All ranks must call it.
void gather_devices(RunOutcome& outcome);
/// One share of every point, and no more: estimates and arrays.
RunOutcome run_once(const EnsemblePlan& plan, const RunHooks& hooks);

/// Cost of a plan, as far as it is known without running or compiling anything.
struct Cost {
  double steps_per_second = 0;  ///< of an earlier run of the same kernel on this machine; 0 if there was none
  double bytes_per_trajectory = 0;
};
Cost cost(const Plan& plan);

}  // namespace bmsim
