// What is measured at a point: values with their standard errors, and arrays.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/counter.h"
#include "observe/arrays.h"
#include "observe/jackknife.h"
#include "observe/moments.h"
#include "observe/recording.h"

namespace bmsim {

struct Estimate {
  double value, error;
};

/// Request of a script: an observable by name, with options. Numbers are lists of one or more.
struct ObservableRequest {
  ObservableRequest(const char* observable) : name(observable) {}
  ObservableRequest(std::string observable, std::map<std::string, std::vector<double>> options,
                    std::map<std::string, std::string> text_options = {})
      : name(std::move(observable)), numbers(std::move(options)), words(std::move(text_options)) {}
  std::string name;
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, std::string> words;
};

/// Facts about one variable at a point.
struct VariableFacts {
  double period = 0;           ///< of its potential, 0 for none
  double mass = 0, gamma = 1;  ///< mass 0: overdamped
  double force = 0;            ///< the constant force
  double thermal = 0;          ///< D of all Gaussian white noise together
  std::vector<double> grid_x{}, grid_v{};
  double fewest_for_squares = 0;  ///< fewest paths whose second moments have standard errors
  /// V(x), if all forces on the variable but the constant one and drives are -V', always the same.
  std::function<double(double)> energy{};
};

/// Where paths end, if they do: below and above these places.
struct ExitFacts {
  bool there = false;
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

/// Facts about a point, for observables. Times are counted from the start of the run.
struct PointFacts {
  double dt = 0, transient = 0, total = 0;
  double steps = 0;  ///< of the window
  double tick = 0;   ///< mean time between two ticks, if all times are ticks of a random clock; else 0
  /// Of methods without steps: mean velocity by all but V, of which Window::sum has what it moved. NaN: not known.
  double push = std::numeric_limits<double>::quiet_NaN();
  double period = 0;           ///< of the potential, 0 for none
  bool free = false;           ///< no potential: its period has no meaning
  double drive_period = 0;     ///< shortest period of the drives, 0 without drives
  double mass = 0, gamma = 1;  ///< mass 0: overdamped
  double force = 0;            ///< the constant force
  double thermal = 0;          ///< D of all Gaussian white noise together
  double paths = 1;
  ExitFacts exits{};
  double fewest_for_squares = 0;  ///< fewest paths whose second moments have standard errors
  bool of_state =
      false;  ///< forces or the noise are functions of the whole state: a system, or noise with an amplitude
  bool same_times =
      false;  ///< dt, transient and duration are the same at all points: coordinates are the times themselves
  /// Edges of the pieces of V, in [-1/2, 1/2] periods, if the method is exact: the Occupation counter is used then.
  std::vector<double> edges{};
  /// The same, with the levels of all observables among them, if the method is the walk over edges: level_seen.
  std::vector<double> walked_edges{};
  /// Moments of displacements exist below this order: alpha of Levy noise, infinity where all exist.
  double tail = std::numeric_limits<double>::infinity();
  bool even_tails = true;                  ///< both tails of the noise are equally heavy
  std::vector<double> grid_x{}, grid_v{};  ///< grids of initial values, path after path, x fastest; empty: no grid
  std::vector<VariableFacts> variables{};  ///< of all variables, then formulas; those above are of the first
  std::map<std::string, double, std::less<>> constants{};  ///< values of Needs::constants
  /// The same with the facts of another variable, or a formula, in place of those of the first.
  PointFacts of(size_t variable) const;
  double window() const { return total - transient; }
  double length() const { return period > 0 ? period : 1; }  ///< the kernel's unit of x
  /// A level of x as counters of a kernel see it (kernels/seen.h): in periods, or of a walk the number of its edge.
  double level_seen(double x) const;
  /// Time at which this time is recorded: the nearest whole step.
  double recorded(double time) const { return std::min(std::round(time / dt) * dt, total); }
  /// Whether the mean over paths of a displacement to this order exists, and whether it has a standard error. For even
  /// tails the mean itself (order 1) has one, too: a sum over its own root mean square has variance 1 whatever the
  /// tails are (B. F. Logan, C. L. Mallows, S. O. Rice, L. A. Shepp, Ann. Probab. 1, 788, 1973).
  bool has_moment(double order) const { return order < tail; }
  bool has_error(double order) const { return 2 * order < tail || (order == 1 && even_tails && tail > 1); }
  /// Fewest paths whose moments of this order have standard errors, as far as it is known before the run: more for
  /// higher ones, as in Recording::paths_for_third and paths_for_fourth.
  double fewest_for_order(double order) const {
    return order < 2 ? 0 : fewest_for_squares * (order < 3 ? 1 : order < 4 ? 8 : 32);
  }
  /// Whether the moment of this order over so many paths has a standard error that they know.
  bool knows_error(double order, uint64_t among) const {
    return has_error(order) && static_cast<double>(among) >= fewest_for_order(order);
  }
};

/// Whether a counter examines KernelOptions::seen after every step, and where it matters: at levels, or anywhere.
enum class Looks { no, at_levels, anywhere };

/// An integral along every path over the window: of a formula of the state and t, of the force from outside (the
/// constant force and drives), of all forces but friction and white noise, or of the velocity that it is over.
struct PathIntegral {
  std::string name;       ///< of its sums in Window::counted, "integral.NAME": an identifier; "" for what is no formula
  std::string formula{};  ///< "" for what is no formula: observe/energies.h has these sums
  /// Or the name of a variable, or of a velocity, in the sense of Stratonovich. "": one integral over every variable,
  /// or over every velocity if it is of velocities.
  std::string over = "t";
  std::string subject{};  ///< of messages: "observe.integral: heat.x"
  enum Of { of_formula, driving, force, velocity } of = of_formula;
};

/// Needs of an observable: quantities computed at every step or at the end, properties of the run, initial values.
struct Needs {
  bool moments = false;     ///< Measured::moments
  bool squares = false;     ///< the sum of v^2 along every path: underdamped only
  bool windows = false;     ///< Window, path by path
  bool steps = false;       ///< a method with steps
  bool ticks = false;       ///< times that it looks at may be ticks of a random clock; so may those that it measures
  bool smooth = false;      ///< V' continuous, or whatever else are forces and amplitudes of noise
  bool velocities = false;  ///< those at the ends of steps
  bool coherence = false;   ///< how long oscillations keep their phase: their frequency must be right to their width
  /// The law of displacements over a few steps matters: increments must be normal, not only have the right moments.
  /// early_law: this holds shortly after the start only, if all paths begin at one place.
  bool law = false, early_law = false;
  /// Narrow parts of the law of positions matter: increments must be normal where events of the script set paths to one
  /// place again and again, and steps short where a kink of an amplitude makes the law.
  bool narrow_parts = false;
  Looks looks = Looks::no;
  std::vector<std::string> formulas{};  ///< functions of the state, which the kernel evaluates at every step
  std::vector<PathIntegral> integrals{};
  std::vector<std::string> at_events{};  ///< functions of the state just before and after events of the script
  /// Energies that a model must define: heat, which passes into baths with a temperature each; also the work of forces
  /// that have no potential; also the entropy that baths gain, whose temperatures are not 0.
  enum Energies { none, heat, work, entropy } energies = none;
  std::vector<std::string> constants{};  ///< formulas of the model's parameters: PointFacts::constants
  /// One of them, an angular frequency, of which the window is to have whole periods; "" for none.
  std::string cycle{};
  std::optional<double> start_x{};     ///< initial x of all paths
  std::vector<double> levels{};        ///< places of its variable that paths are to meet, edges of a walk
  double distance = 0;                 ///< that noise must not go in a few steps; 0: of no importance
  double first_time = 0;               ///< the first time that was asked for, other than 0; 0 for none
  std::optional<double> force_step{};  ///< extra force under which the same paths are run once more: Window::perturbed
};

/// Names of a column on axes and in files: "<v>", "length/time", "mean velocity". As in descriptors of plugins. The
/// unit "radian" means an angle, in (-pi, pi].
struct ColumnLabel {
  std::string symbol, unit, meaning;
};

/// Results of a run for one observable.
struct Findings {
  std::span<const std::vector<Estimate>> columns;  ///< by column, by point
  std::span<const Array> arrays;
  std::span<const PointFacts> facts;  ///< by point
};

/// Of which of its times the arrays of an observable are, block after block.
enum class Sampling {
  together,     ///< of all
  evenly,       ///< of all, which are equally far apart
  each,         ///< a block of each
  since_first,  ///< a block of each but the first, and of the first
  between,      ///< a block of each two that follow each other
};

/// What was measured, of the variable that the observable is of.
struct Measured {
  PointFacts facts;
  WindowMoments moments;  ///< nan unless needed
  Recording recording;
  Window window{};                    ///< empty unless needed
  std::span<const int64_t> sums{};    ///< sums of a counter, if one keeps them
  std::span<const Window> windows{};  ///< of all variables; empty unless needed
  /// Receives the values of Observable::probes.
  std::vector<std::vector<double>>* probes = nullptr;
  /// Receives what Observable::halved_densities are in both halves of the window, over groups of paths.
  std::vector<HalfMoments>* halves = nullptr;
};

/// A sum along every path that grows in proportion to time in a stationary state: its name in Window::counted, that of
/// what it was at the middle of the window, and the column that it gives.
struct HalvedSum {
  std::string sum, half, column;
};

/// A density that is pooled over the window, in both halves of it: probabilities that a variable is below these places.
struct HalvedDensity {
  std::string variable;
  std::vector<double> places;
  bool velocity = false;
  bool folded = false;  ///< a position in periods, folded into [-1/2, 1/2)
};

/// Means over the paths of all shares of a point of the numbers that Observable::pooled_numbers gives.
struct Pooled {
  std::vector<double> mean;
  std::vector<double> covariance{};  ///< of these means, row by row, from the scatter of shares; empty: not known
  double paths = 0;  ///< of all shares; NaN where they are not independent, infinity where noise is not to be removed
  double of(size_t i, size_t k) const {
    return covariance.empty() ? std::numeric_limits<double>::quiet_NaN() : covariance[i * mean.size() + k];
  }
  /// f(means), with the error that their covariance gives to leading order.
  Estimate function(const std::function<double(const std::vector<double>&)>& f) const;
};
/// Estimate of one of its columns.
struct ColumnEstimate {
  size_t column;
  Estimate estimate;
};

/// A density of positions of one variable: the array with its values, before that with its errors; and whether its bins
/// are in periods.
struct PositionDensity {
  size_t array;
  bool in_periods;
};
/// A column that is the average of a formula over the window and the paths.
struct AverageOf {
  std::string column, formula;
};

/// An observable: one quantity, or several that belong together. A new one needs a file in core/observe/kinds and its
/// name in known.h.
class Observable {
 public:
  virtual ~Observable() = default;
  virtual std::string name() const = 0;
  /// Index of the variable of the model that it is of; or of the formula, these come after the variables.
  virtual size_t variable() const { return 0; }
  /// Names of the columns. Each gets a second column NAME_err. None for an observable of arrays only.
  virtual std::vector<std::string> columns() const { return {name()}; }
  /// Labels of its columns for axes and files: "<v>", "length/time", "mean velocity". Written as in descriptors of
  /// plugins.
  virtual std::string symbol() const { return name(); }
  virtual std::string unit() const { return ""; }
  virtual std::string meaning() const { return name(); }
  virtual ColumnLabel label(const std::string&) const { return {symbol(), unit(), meaning()}; }  ///< of one column
  /// Whether a turn more or less of a column is the same: for whoever takes means and differences of it.
  bool is_angle(const std::string& column) const { return label(column).unit == "radian"; }
  virtual Needs needs() const { return {}; }
  /// If its times must not be ticks of a random clock: which option would let it do without them; "" for none.
  virtual std::string asks_for_times() const { return ""; }
  /// Whether it takes the window for a part of a stationary state, so that what is left of the start makes an error.
  virtual bool of_stationary_state() const { return needs().moments; }
  /// Whether it is made of the growth of variances over the window.
  virtual bool of_spread() const { return false; }
  /// Counters that it needs in the kernel. At all points they are the same, except for the values of their parameters.
  virtual std::vector<Counter> counters(const PointFacts&) const { return {}; }
  /// Times at which all paths are recorded, ascending, in [0, total], equally many at every point. Throws Error if they
  /// are impossible at this point.
  virtual std::vector<double> times(const PointFacts&) const { return {}; }
  /// Its arrays without values, from the facts of the first point.
  virtual std::vector<Array> arrays(const PointFacts&) const { return {}; }
  /// What layers at kinks of V may make wrong, see engine/kink_layers.h.
  virtual std::optional<PositionDensity> position_density() const { return {}; }
  virtual std::vector<AverageOf> averages() const { return {}; }
  virtual Sampling sampling() const { return Sampling::together; }
  /// Arrays that only the check of the step looks at, in place of the others, whose single numbers scatter too much.
  virtual std::vector<Array> probes(const PointFacts&) const { return {}; }
  /// One estimate per column; one vector per array, and per probe.
  virtual void measure(const Measured& measured, std::vector<Estimate>& columns,
                       std::vector<std::vector<double>>& arrays) const = 0;
  /// Sums whose halves are compared by the check of the transient.
  virtual std::vector<HalvedSum> halved() const { return {}; }
  /// Densities whose halves are compared by the same check.
  virtual std::vector<HalvedDensity> halved_densities(const PointFacts&) const { return {}; }
  /// Of a share: means over its paths, or other unbiased estimates, of which estimates are made that are not linear in
  /// the paths. The mean of these over many small shares would be biased: the means of their numbers are not.
  virtual std::vector<double> pooled_numbers(const Measured&) const { return {}; }
  /// The columns that are such functions; and what they are of the numbers of all shares.
  virtual std::vector<size_t> pooled_columns() const { return {}; }
  virtual std::vector<ColumnEstimate> of_pooled(const Pooled&, const PointFacts&) const { return {}; }
  /// Fewest paths that give standard errors, if known before the run; 0: it has no errors.
  virtual double fewest_paths() const { return fewest_parts; }
  /// Warning about its estimates; "" for none. By default: too few paths for errors, or moments that the noise does not
  /// have.
  virtual std::string warning(const Findings& found) const;
  /// Order of the moments of displacements in a column or an array; 0: none. The estimate is nan if these moments do
  /// not exist (PointFacts::tail).
  virtual double order(const std::string&) const { return 0; }

 private:
  double fewest_for_squares(const Findings& found, const std::vector<std::string>& names) const;
};

/// A variable of a system, for observables; or a formula of its state, after all variables.
struct ObservedVariable {
  std::string name;
  bool inertial = false;
  std::string formula{};   ///< "" for a variable
  std::string asked_by{};  ///< the first observable that is of the formula
  bool is_formula() const { return !formula.empty(); }
};

/// Throws Error for an unknown observable, an option that it does not have or a value that is not allowed. variables:
/// of a system, none for other models; then the request must say which variable it is of, as those of of_each_variable
/// do.
std::unique_ptr<Observable> make_observable(const ObservableRequest& request,
                                            std::span<const ObservedVariable> variables = {});
/// Requests for the same observable of one variable each, "of" or all that have it; the request itself if there are no
/// variables. Formulas that it is of are added to the variables. definitions: names that stand for a formula.
std::vector<ObservableRequest> of_each_variable(const ObservableRequest& request,
                                                std::vector<ObservedVariable>& variables,
                                                std::span<const std::string> definitions);
/// Observables of several variables have an array of their times once. One that is asked for again has it under the
/// name of its own first variable, unless the times are the same.
void name_times(std::vector<ObservableRequest>& requests);

/// Pairs of value and error.
std::vector<Estimate> estimates(const Grouped& grouped);

/// Mean and its standard error, sqrt(s^2 / n); the error is NaN for fewer than fewest_parts values.
Estimate mean(std::span<const double> values);
/// The same, with an error that is wider by what the skewness of the values makes of it.
Estimate mean_of_skewed(std::span<const double> values);

}  // namespace bmsim
