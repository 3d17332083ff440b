// A run, checked: every point evaluated, every choice that "auto" leaves made, before anything is compiled.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "compose/composer.h"
#include "model/model.h"
#include "model/sweep.h"
#include "observe/observable.h"

namespace bmsim {

/// Where a script gives none. Steps are shorter where the motion asks for it: see engine/step_choice.h.
constexpr double default_spp = 400, default_periods = 1000, default_local_error = 0.001;

/// A standard error that a column is to reach: absolute, or relative to the estimate; whichever is larger.
struct Target {
  std::string column;
  double relative = 0, absolute = 0;
};

/// What a script gives of time, of the whole run or of a point. Of periods and time, and of spp and dt, at most one is
/// set.
struct AskedTime {
  std::optional<double> periods, time, spp, dt;
};

/// What a script asks for.
struct RunOptions : AskedTime {
  uint64_t paths = 1024;              ///< per point
  double transient = 0.1;             ///< fraction of the run
  bool find_transient = false;        ///< "auto": see engine/transient.h
  bool check_step = true;             ///< a part of the paths is run with longer steps, see engine/step_check.h
  bool step_error = false;            ///< estimates what half the step changes, see engine/step_error.h
  std::vector<Target> tolerances;     ///< step and statistical errors together are to be below, see engine/tolerance.h
  std::vector<Target> targets;        ///< more paths are run, `paths` at a time, until all of these are reached
  uint64_t limit = 0;                 ///< or so many per point; 0: 100 times `paths`, for tolerances 10000 times
  std::optional<double> local_error;  ///< of method adaptive, see compose/step_map.h
  uint64_t seed = 1;
  uint64_t chunk = 0;    ///< steps per launch, 0: about 50 ms
  uint64_t memory = 0;   ///< bytes for trajectories, 0: what the device has
  unsigned threads = 0;  ///< 0: all cores
  std::string method = "auto", precision = "auto", increments = "auto", device = "auto";
  std::vector<ObservableRequest> observables;  ///< none: velocity
  /// Initial laws. None: x uniform over a period, or 0 without one and where the particle is free; v Maxwell's, or 0
  /// where there is no temperature.
  std::optional<StartLaw> start_x, start_v;
  bool random_phases = false;  ///< drives begin at a phase of their own for every path, instead of at t = 0
  std::string keep_source;     ///< directory for kernels' sources and binaries; empty: none are kept
};

/// Whether steps of several lengths are run on the same noise.
inline bool is_coupled(const RunOptions& options) { return options.step_error || !options.tolerances.empty(); }

/// One sweep point.
struct Point {
  ModelValues values;
  std::optional<ModelValues> perturbed;  ///< with more force, where an observable needs that
  AskedTime asked;
  PointTime time;
  bool step_too_long = false;  ///< longer than the motion allows, see StepAdvice::longest
  int error_order = 2;         ///< of the step's error there: weak_order, or 2 where diffusion blurs kinks
  double substeps = 1;         ///< steps of `time` in one that the script asks for: observables know of the latter only
  StartLaw x, v;
  PointFacts facts;
  std::vector<double> marks;  ///< whole steps at which paths are recorded, ascending, each once
  /// By observable: which of the marks are its own, in the order of its times.
  std::vector<std::vector<uint32_t>> marks_of;
  double window_steps() const { return time.steps - time.transient; }  ///< measured
  double window() const { return window_steps() * time.dt; }           ///< the same, in time
};

struct Plan {
  Model model;
  RunOptions options;
  KernelOptions kernel;
  std::string why_method;             ///< why "auto" chose it; empty where the method was given
  std::string why_precision;          ///< why "auto" is double; empty where it is single or given
  std::string why_step;               ///< what chose the steps where neither dt nor spp is given, if not the time scale
  std::vector<std::string> warnings;  ///< what is known to be doubtful before the run
  std::vector<Point> points;
  bool smooth = true;  ///< V' is continuous at all of them
  std::vector<std::unique_ptr<Observable>> observables;
  Needs needs;  ///< of all of them, but for what is in kernel
  /// Of any point: where a step is too long for its times, points may have different numbers.
  size_t most_marks() const;
  /// Over all points and their first `paths` paths, also those of perturbed ones and other steps.
  double total_steps() const;
  /// Number of a column of the observables. Throws Error listing them.
  size_t column(std::string_view name) const;
};

/// The first point as arrays of the whole run see it: whether all have the same times.
PointFacts facts_of_all(const Plan& plan);
/// Makes the observables of the options and what they need of the kernel.
void observe(Plan& plan);
/// What the observables ask the kernel to count along the paths of a point.
std::vector<Counter> counters_of(const Plan& plan, const Point& point);
/// Sums that the counters of a kernel add to, for each share.
size_t sums_per_share(const KernelOptions& kernel);
/// Gives a point a transient of so many steps, and places its marks accordingly.
void set_transient(const Plan& plan, Point& point, double steps);

/// The same with 2^level steps in the place of one, and so many paths per share; without targets.
Plan refined(const Plan& plan, unsigned level, uint64_t paths);
/// The plan's weak order where its potential allows the method's: 1 for euler, and overdamped where the potential has
/// kinks.
int weak_order(const Plan& plan);

/// Throws Error for every rule that options, model and sweep can break; the message names the point where values
/// differ.
Plan make_plan(const Model& model, const Sweep& sweep, const RunOptions& options);

}  // namespace bmsim
