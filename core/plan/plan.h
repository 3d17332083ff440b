// Plan of a run, before anything is compiled: options checked, every point evaluated, every choice of "auto" made.
#pragma once
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "compose/composer.h"
#include "model/model.h"
#include "model/state_formula.h"
#include "model/sweep.h"
#include "observe/observable.h"

namespace bmsim {

/// Defaults. Steps are shorter if the motion requires it, see plan/step_choice.h.
constexpr double default_spp = 400, default_periods = 1000, default_local_error = 0.001;
constexpr uint64_t default_replicas = 16;

/// Wanted standard error of a column: absolute, or relative to the estimate; whichever is larger.
struct Target {
  std::string column;
  double relative = 0, absolute = 0;
};

/// Time options of the whole run or of a point. At most one of `periods` and `time` is set, and of `spp` and `dt`.
struct AskedTime {
  std::optional<double> periods, time, spp, dt;
};

/// How the paths are computed. Of these only the seed changes results.
struct Execution {
  uint64_t seed = 1;
  uint64_t chunk = 0;    ///< steps per launch, 0: about 50 ms
  uint64_t memory = 0;   ///< bytes for trajectories, 0: what the device has
  unsigned at_once = 1;  ///< ensembles that share this memory
  unsigned threads = 0;  ///< 0: all cores
  std::string device = "auto";
  std::string keep_source{};  ///< directory for the kernels' sources and binaries; empty: they are not kept
  uint64_t kernel_paths = 0;  ///< how many paths kernels are made for; 0: those of the run
  /// As long as it is true, an interruption waits for the end of a compilation, which the next run needs. Null: false.
  std::shared_ptr<const std::atomic<bool>> finish_compilation{};
};

using Starts = std::map<std::string, StartLaw, std::less<>>;

/// Options of a run, as given by a script.
struct RunOptions : AskedTime, Execution {
  uint64_t paths = 1024;              ///< per point; with mean fields, of a system
  std::optional<uint64_t> replicas;   ///< of a system with mean fields, at every point; default_replicas
  double transient = 0.1;             ///< fraction of the run
  bool find_transient = false;        ///< "auto": see engine/transient.cc
  bool check_step = true;             ///< run a part of the paths again with longer steps, see engine/step_check.h
  bool check_transient = true;        ///< compare the halves of the window, see plan/transient_check.h
  bool step_error = false;            ///< estimate the error of the step, see engine/step_error.h
  std::vector<Target> tolerances;     ///< bounds on step and statistical error together, see engine/step_error.h
  std::vector<Target> targets;        ///< run more paths, `paths` at a time, until all of these are reached
  uint64_t limit = 0;                 ///< most paths per point; 0: 100 times `paths`, with tolerances 10000 times
  std::optional<double> local_error;  ///< of method adaptive, see compose/step_map.h
  std::string method = "auto", precision = "auto", increments = "auto";
  std::vector<ObservableRequest> observables;  ///< none: velocity
  /// Laws of the initial values. Defaults: positions as with `uniform_starts`, or 0 if there is no period or the
  /// particle is free; velocities from Maxwell's law, or 0 without a temperature.
  Starts starts;  ///< by variable, "x", or velocity, "v"; of a system "v_x"
  /// Variables that begin uniformly over the period nearest to 0 that lies between their walls, or over all between
  /// walls that are nearer to each other. A free particle has period 1 for this.
  std::set<std::string, std::less<>> uniform_starts;
  std::string label;           ///< kept in the result, in files and above plots
  std::string output;          ///< file to write at the end; none: ""
  bool overwrite = false;      ///< files that exist are replaced
  std::string script;          ///< text of it, for the headers of files
  bool random_phases = false;  ///< drives begin at a random phase on every path, instead of at t = 0
};

/// Whether steps of several lengths are run on the same noise.
inline bool is_coupled(const RunOptions& options) { return options.step_error || !options.tolerances.empty(); }

/// A kink of V, or a jump of the force of a system's variable at a place of its own, that noise takes particles without
/// inertia off in a step.
struct Kink {
  size_t variable;
  double x;
  double force;  ///< half of the jump of the force
  double D;      ///< of the white noise there
  bool presses;  ///< particles to it, or off it
};

/// One sweep point.
struct Point {
  ModelValues values;
  std::shared_ptr<const ModelValues> perturbed;  ///< with more force, if an observable needs that
  AskedTime asked;
  PointTime time;
  bool step_too_long = false;  ///< longer than the motion allows, see StepAdvice::longest
  double of_longest = 0;       ///< the step over that
  double good_step = 0;        ///< where it is too long: one that would do for the motion
  bool given_long = false;     ///< given, and well above a good one, though not too long
  double fastest = 0;          ///< largest speed of the motion, where forces depend on time
  /// Order of the step's error: weak_order, or 2 where diffusion blurs kinks, or 1/2 where amplitudes of noise jump.
  double error_order = 2;
  std::vector<Kink> kinks{};   ///< whose layers the step makes wrong, see engine/kink_layers.cc
  double substeps = 1;         ///< steps of `time` in a step of the script; observables know only the latter
  std::vector<StartLaw> x, v;  ///< by variable
  PointFacts facts;
  std::vector<double> marks;  ///< whole steps at which paths are recorded, ascending, each once
  /// By observable: indices of its marks, in the order of its times.
  std::vector<std::vector<uint32_t>> marks_of;
  double window_steps() const { return time.steps - time.transient; }  ///< length of the window, in steps
  double window() const { return window_steps() * time.dt; }           ///< the same, in time
};

/// Ensembles of paths at some points: what a Runner runs, and Estimates are of.
struct EnsemblePlan {
  Model model;
  KernelOptions kernel;
  std::vector<Point> points;
  bool smooth = true;      ///< V' is continuous at all points
  uint64_t paths = 1024;   ///< per share of a point
  uint64_t replicas = 1;   ///< shares of a point, at least
  bool pools = false;      ///< shares of a point may be several: they give Observable::pooled_numbers
  double local_error = 0;  ///< of method adaptive
  Execution execution;
  std::vector<ObservableRequest> requests;
  std::vector<std::unique_ptr<Observable>> observables;  ///< one for each request
  std::vector<StateFormula> formulas;                    ///< that observables are of, numbered after the variables
  Needs needs;                                           ///< needs of all observables, except those stored in `kernel`
  /// Whether the paths of a share are one system, with mean fields. Errors are then the scatter of shares.
  bool together() const { return !model.fields().empty(); }
  /// Largest number of marks of a point. Points may differ, since marks at the same step are one.
  size_t most_marks() const;
  /// Index of a column among those of all observables. If there is none, throws Error with a list of them.
  size_t column(std::string_view name) const;
};

/// A run that a script asks for, checked, with every choice made that "auto" left open.
struct Plan : EnsemblePlan {
  RunOptions options;                 ///< as they were given
  Starts starts;                      ///< those that were given, and those that observables ask for
  uint64_t limit = 0;                 ///< most paths per point, for targets and tolerances
  std::string why_method;             ///< why "auto" chose the method; empty if the method was given
  std::string why_precision;          ///< why "auto" chose double; empty if it is single or given
  std::string why_step;               ///< what determined the steps, if not dt, spp or the time scale
  std::vector<std::string> warnings;  ///< doubts that are known before the run
  double seconds = 0;                 ///< that these choices took
  /// Steps of the first `paths` paths of all points, including perturbed paths and runs with other steps.
  double total_steps() const;
};

/// The variables of a system, and its definitions; none for other models.
std::vector<ObservedVariable> observed_variables(const Model& model);
std::vector<std::string> definition_names(const Model& model);
/// Name of the velocity of a variable with inertia, for initial laws: "v", of a system "v_x".
std::string velocity_name(const Model& model, size_t variable);
/// Facts of the first point, with same_times set if all points have the same times: what shapes of arrays depend on.
PointFacts facts_of_all(const EnsemblePlan& plan);
/// Counters of all observables at a point.
std::vector<Counter> counters_of(const EnsemblePlan& plan, const Point& point);
/// Number of sums per share that the counters of a kernel add to.
size_t sums_per_share(const KernelOptions& kernel);
/// Sets the transient of a point, in steps, and places its marks accordingly.
void set_transient(const EnsemblePlan& plan, Point& point, double steps);

/// Records a point at these steps instead, by observable and in the order of its times.
void place_marks_at(Point& point, const std::vector<std::vector<double>>& steps);

/// Ensembles of the same model on the same kernel with other observables and another number of paths, at no points yet.
EnsemblePlan same_model(const EnsemblePlan& plan, std::vector<ObservableRequest> requests, uint64_t paths);
/// The same ensembles with 2^level steps in place of one, and `paths` paths per share.
EnsemblePlan refined(const EnsemblePlan& plan, unsigned level, uint64_t paths);
/// Whether white noise with an amplitude makes the plan one of first order: but for platen, or where levels are met.
bool has_first_order_amplitude(const EnsemblePlan& plan);
/// Weak order of the plan: 1 for euler, for paper with events, for noise with such an amplitude, and overdamped if the
/// potential has kinks; else 2.
int weak_order(const EnsemblePlan& plan);
/// That order at jumps of the amplitude of white noise: a step h moves them by a part of the noise in it, sqrt(2Dh).
inline constexpr double order_at_jumps = 0.5;
/// The order with which errors of steps are extrapolated: weak_order, or order_at_jumps if a point has it.
double order_of_errors(const Plan& plan);

/// Throws Error if options, model or sweep break a rule. The message names the point if its values are the reason.
Plan make_plan(const Model& model, const Sweep& sweep, const RunOptions& options);

}  // namespace bmsim
