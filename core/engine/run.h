// Runs a plan: batches of points and paths, launches with progress and interrupts between them, reduction per point.
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
  /// Largest ratio of standard error to estimate over all points so far; NaN if it is not known.
  double worst_relative_error = std::numeric_limits<double>::quiet_NaN();
};

/// Hooks into a run; empty ones are not called.
struct RunHooks {
  std::function<void(const Progress&)> progress;
  std::function<bool()> interrupted;  ///< true ends the run with an Interruption, see check_interrupted
  /// Receives all paths of a share of a point once the share is complete: a window for each variable.
  std::function<void(size_t point, std::span<const Window>)> window;
  Journal* journal = nullptr;  ///< keeps what is finished, and knows what earlier runs finished
};

/// The first path of a point that diverged, and the step at which this was noticed.
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
  /// One column at one point, or the number with the largest error among all arrays of an observable. resolution: the
  /// smallest error of the step that would be seen with a probability of 95 %.
  struct Seen {
    static constexpr size_t no_column = SIZE_MAX;
    size_t column, point;  ///< indices in the plan; no_column for a number of an array
    double error, error_of_it, resolution;
    double doubt;    ///< about `error`: error_of_it, with what higher orders of the step may add to it
    double allowed;  ///< standard error of the run; if paths do not scatter, a part of the value
    bool warned;
    bool scatters = true;
    size_t observable = 0;  ///< of a number of an array: index in the plan
    std::string what{};     ///< of a number of an array: "x_cumulant_2 at t = 10"
    double value = 0;       ///< the number in the run
    double order = 0;       ///< of the error
  };
  /// One column over all points that were checked, even if no single point shows an error. standard_errors: root mean
  /// square of the error of the step, in standard errors of the run.
  struct Together {
    size_t column, points;
    double standard_errors;
  };
  /// A number that a layer at a kink, or at a jump of an amplitude, makes wrong at a point: engine/kink_layers.cc.
  struct Layer {
    std::string name;  ///< of the column, or of the observable
    size_t point;
    double error, value, standard_errors;
    double part;  ///< this part of the step would do
    bool of_amplitude = false;
  };
  std::vector<Seen> seen;          ///< empty if nothing was checked
  std::vector<Together> together;  ///< columns whose standard_errors are above 2 and not explained by chance
  std::vector<Layer> layers;       ///< computed, not seen with longer steps: even if nothing was checked
  std::vector<size_t> diverged;    ///< points at which only the longer steps diverge
  std::string text;                ///< why nothing was checked
  double steps = 0;                ///< of all paths with longer steps
};

/// The work that one of the devices of a run has done.
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
  std::vector<std::string> warnings;  ///< of the whole run, one line each
  std::vector<Choice> choices;        ///< with a tolerance: dt of the finest level, number of levels, cost in steps
  std::vector<bool> reached;          ///< by point: whether all targets are reached; empty without targets
  /// Of an interrupted run, by point: whether it has estimates, from at least as many shares as a point begins with.
  /// Estimates at other points are nan. Empty if the run came to its end.
  std::vector<bool> finished;
  double expected_seconds = 0;  ///< see Expected
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
  double steps_known = 0;           ///< those of `steps` that a journal had
  double steps_per_second = 0;
};

/// Runs a plan to its end, or until a hook interrupts it and at least one point is finished. Throws Error: status
/// device if there is no device or compiler; status part_done if the journal is one of several parts and others are
/// missing. Throws Interruption if no point is finished, or if a journal keeps what is done.
RunOutcome run(const Plan& plan, const RunHooks& hooks);
/// Whether a point has estimates, even if it has diverged.
inline bool finished(const RunOutcome& outcome, size_t point) {
  return outcome.finished.empty() || outcome.finished[point];
}
/// Whether a run has come to its end, or an interrupted one has nothing left to do.
bool complete(const RunOutcome& outcome);
/// Throws Interruption if a hook ends the run: status unfinished if a journal keeps what is done, else interrupted.
void check_interrupted(const RunHooks& hooks);
/// The function that check_interruption() is to call: check_interrupted, or, without a hook, that of the scope around
/// the run. The hooks must outlive it.
InterruptionCheck check_of(const RunHooks& hooks);
/// Called in the handler of an interruption: marks the finished points, or throws it again: if there are none, if there
/// are several ranks, or if the run is to go on later.
void keep_finished(const Interruption& end, std::vector<bool> finished, RunOutcome& outcome);
/// Adds the work of other ranks' devices. All ranks must call it.
void gather_devices(RunOutcome& outcome);
/// Runs the plan's replicas of every point, and no more: estimates and arrays.
RunOutcome run_once(const EnsemblePlan& plan, const RunHooks& hooks);

/// The cost of a plan, as far as it is known without running or compiling anything.
struct Cost {
  double steps_per_second = 0;  ///< of an earlier run of the same kernel on this machine; 0 if there was none
  double bytes_per_trajectory = 0;
};
Cost cost(const Plan& plan);

/// What a run is expected to take.
struct Expected {
  double seconds = 0;
  double steps = 0;             ///< of all paths; ticks of method exact
  double steps_per_second = 0;  ///< of all paths
  double typical_seconds = 0;   ///< at the speed typical of the device, for comparison with other plans
  bool measured = false;        ///< the speed, by an earlier run of the kernel on this machine; else it is typical
  size_t slowest = 0;           ///< the point whose paths take longest
  double part = 1;              ///< of all the time, that the slowest point takes
  std::string device;           ///< "cpu", "cuda"
};
/// (engine/work.cc)
Expected expected(const Plan& plan);

/// MSER (K. P. White, Simulation 69, 323 (1997)): the number d of values to leave out, at most half of them, that
/// minimises the squared standard error of the mean of the rest, sum (y_i - mean)^2 / (n - d)^2.
size_t mser(const std::vector<double>& series);

/// Whether the means of both halves of a series differ by more than their errors.
bool still_moves(std::span<const double> series);

/// For transient = "auto": runs up to 512 paths of every point over the whole duration and cuts it into 128 intervals.
/// The series are the growth of <x> and of Var x in each interval and, underdamped, Var v at its end. The transient of
/// a point is twice the time after which the last of these series is stationary, but at most half of the run. Sets the
/// plan's transients. Returns the points whose run is too short to tell: where the rest of it still moves.
std::vector<size_t> find_transients(Plan& plan, const RunHooks& hooks);

}  // namespace bmsim
