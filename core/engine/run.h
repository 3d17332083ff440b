// Running a plan: batches of points and paths, launches with progress and interrupts between them, reduction per point.
#pragma once
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "backend/backend.h"
#include "engine/plan.h"

namespace bmsim {

/// What is told between two launches.
struct Progress {
  double fraction = 0;          ///< done, in [0, 1]
  double steps_per_second = 0;  ///< mean so far
  double seconds_left = 0;      ///< INFINITY before anything is known
  /// The largest standard error over estimate of all points so far; NaN: not known.
  double worst_relative_error = std::numeric_limits<double>::quiet_NaN();
};

/// Hooks into a run; empty ones are not called.
struct RunHooks {
  std::function<void(const Progress&)> progress;
  std::function<bool()> interrupted;  ///< true ends the run with Error, status interrupted
  /// Every path of a share of a point, when it is complete.
  std::function<void(size_t point, const Window&)> window;
};

/// The first path of a point that was seen not to be finite any more, and the step by which it was.
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

/// What longer steps have shown of the error of the step, see engine/step_check.h.
struct StepCheck {
  /// Of one column at one point. resolution: the smallest error of the step that would have been seen 95 times in 100.
  struct Seen {
    size_t column, point;  ///< numbers of the plan's
    double error, error_of_it, resolution;
    bool warned;
  };
  /// Of one column over all points that were checked, none of which need show it: the root mean square of the error of
  /// the step, in standard errors of the run.
  struct Together {
    size_t column, points;
    double standard_errors;
  };
  std::vector<Seen> seen;          ///< empty where nothing was checked
  std::vector<Together> together;  ///< where it is above 2 and above chance
  std::vector<size_t> diverged;    ///< points at which longer steps diverge
  std::string text;                ///< why nothing was checked
  double steps = 0;                ///< of all its paths
};

struct RunOutcome {
  std::vector<std::vector<Estimate>> estimates;  ///< by column of the observables in their order, by point
  std::vector<Array> arrays;                     ///< of the observables in their order
  /// Of every column, by column and point, what the step adds to it and what is left without; or empty.
  std::vector<std::vector<Estimate>> step_errors, extrapolated;
  std::vector<uint64_t> paths;  ///< by point: as many as the estimates are of
  StepCheck step_check;
  std::vector<std::string> warnings;  ///< of the whole run, a line each
  std::vector<Choice> choices;        ///< with a tolerance: dt of the finest level, levels, cost in steps
  std::vector<bool> reached;          ///< by point: all targets; empty without
  std::string device, kernel_details, kernel_source;
  std::string why_cpu;               ///< the reason if auto found no GPU
  std::vector<Divergence> diverged;  ///< points whose estimates are NaN therefore
  bool kernel_cached = false;
  uint64_t bytes_per_trajectory = 0;
  uint64_t batches = 0, launches = 0;
  double compile_seconds = 0;  ///< composing, compiling or finding the kernel
  double seconds = 0;          ///< from the first launch to the last result
  double device_seconds = 0;   ///< of them in launches, by the device's clock; 0 where it has none
  double steps = 0;            ///< of all paths that were run; 0 in a dry run
  double steps_per_second = 0;
};

/// Runs a plan to its end. Throws Error: status device if there is no device or compiler, interrupted if a hook says
/// so.
RunOutcome run(const Plan& plan, const RunHooks& hooks);

/// What is known of a plan's cost without running or compiling anything.
struct Cost {
  double steps_per_second = 0;  ///< of an earlier run of the same kernel on this machine; 0 if there was none
  double bytes_per_trajectory = 0;
};
Cost cost(const Plan& plan);

}  // namespace bmsim
