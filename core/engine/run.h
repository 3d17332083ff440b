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
  std::function<bool()> interrupted;                        ///< true ends the run with Error, status interrupted
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

struct RunOutcome {
  std::vector<std::vector<Estimate>> estimates;  ///< by column of the observables in their order, by point
  std::vector<Array> arrays;                     ///< of the observables in their order
  /// Of every column, by column and point, what the step adds to it and what is left without; or empty.
  std::vector<std::vector<Estimate>> step_errors, extrapolated;
  std::vector<uint64_t> paths;                   ///< by point: as many as the estimates are of
  std::vector<Choice> choices;                   ///< with a tolerance: dt of the finest level, levels, cost in steps
  std::vector<bool> reached;                     ///< by point: all targets; empty without
  std::string device, kernel_details, kernel_source;
  std::string why_cpu;  ///< the reason if auto found no GPU
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
