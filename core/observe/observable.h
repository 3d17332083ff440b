// Observables, which measure at every point values with their standard errors, and arrays.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/counter.h"
#include "numbers.h"
#include "observe/arrays.h"
#include "observe/jackknife.h"
#include "observe/moments.h"
#include "observe/recording.h"
#include "shared.h"

namespace bmsim {

struct Estimate {
  double value, error;
};

/// What a script asks for: an observable by name, with options. Options that are numbers are lists of one or more.
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
  /// Grids of initial values, path after path, x fastest; empty: no grid.
  Shared<double> grid_x{}, grid_v{};
  double fewest_for_squares = 0;  ///< fewest paths whose second moments have standard errors
  /// V(x), if all forces on the variable but the constant one and drives are -V', always the same, and heat is
  /// observed.
  std::function<double(double)> energy{};
};

/// Where paths end, if they do: below `low` and above `high`.
struct ExitFacts {
  bool there = false;
  double low = -infinity, high = infinity;
};

/// Facts about a point, for observables, and about one of its variables: the first, if nothing else is asked for. Times
/// are counted from the start of the run.
struct PointFacts : VariableFacts {
  double dt = 0, transient = 0, total = 0;
  double steps = 0;  ///< of the window
  double tick = 0;   ///< mean time between two ticks, if all times are ticks of a random clock; else 0
  /// Mean velocity by all but V, whose displacements are in Window::sum, of methods without steps. NaN: not known.
  double push = nan;
  bool free = false;        ///< no potential: its period has no meaning
  double drive_period = 0;  ///< shortest period of the drives, 0 without drives
  double paths = 1;
  ExitFacts exits{};
  /// Forces or the noise are functions of the whole state: a system, or noise with an amplitude.
  bool of_state = false;
  /// dt, transient and duration are the same at all points: coordinates are the times themselves.
  bool same_times = false;
  /// Edges of the pieces of V, in [-1/2, 1/2] periods, if the method is exact: the Occupation counter is used then.
  Shared<double> edges{};
  /// Edges of the pieces of V and levels of all observables, if the method is the walk over edges; see level_seen.
  Shared<double> walked_edges{};
  /// Moments of displacements exist below this order: alpha of Levy noise, infinity where all exist.
  double tail = infinity;
  bool even_tails = true;           ///< both tails of the noise are equally heavy
  Shared<VariableFacts> several{};  ///< of all variables, then formulas, if there are more than one
  std::map<std::string, double, std::less<>> constants{};  ///< values of Needs::constants
  size_t variables() const { return several.empty() ? 1 : several.size(); }
  const VariableFacts& variable(size_t i) const { return several.empty() ? *this : several[i]; }
  /// A copy with the facts of this variable or formula in place of those of the first.
  PointFacts of(size_t variable) const;
  double window() const { return total - transient; }
  double length() const { return period > 0 ? period : 1; }  ///< the kernel's unit of x
  /// A level of x as counters of a kernel see it (kernels/seen.h): in periods; in a walk, the number of its edge.
  double level_seen(double x) const;
  /// The time of the nearest whole step, at which `time` is recorded.
  double recorded(double time) const { return std::min(std::round(time / dt) * dt, total); }
  /// Whether the mean over paths of a displacement to the power `order` exists, and whether it has a standard error.
  /// With even tails the mean displacement (order 1) has one whenever it exists: a sum over its own root mean square
  /// has variance 1 whatever the tails are (B. F. Logan, C. L. Mallows, S. O. Rice, L. A. Shepp, Ann. Probab. 1, 788,
  /// 1973).
  bool has_moment(double order) const { return order < tail; }
  bool has_error(double order) const { return 2 * order < tail || (order == 1 && even_tails && tail > 1); }
  /// Fewest paths whose moments of this order have standard errors, as far as is known before the run. Higher orders
  /// need more paths, as in Recording::paths_for_third and paths_for_fourth.
  double fewest_for_order(double order) const {
    return order < 2 ? 0 : fewest_for_squares * (order < 3 ? 1 : order < 4 ? 8 : 32);
  }
  /// Whether so many paths give the standard error of the moment of this order.
  bool knows_error(double order, uint64_t count) const {
    return has_error(order) && static_cast<double>(count) >= fewest_for_order(order);
  }
};

/// Where a counter examines KernelOptions::seen after every step: nowhere, at levels, or anywhere.
enum class Looks { no, at_levels, anywhere };

/// An integral along every path over the window: of a formula of the state and t, of the force from outside (the
/// constant force and drives), of all forces but friction and white noise, or of the velocity that it is over.
struct PathIntegral {
  std::string name;       ///< an identifier: its sums in Window::counted are "integral.NAME"; "" if it is of no formula
  std::string formula{};  ///< "" if it is of no formula: observe/energies.h has these sums
  /// "t", or the name of a variable or a velocity, in the sense of Stratonovich. "": one integral over every variable,
  /// or over every velocity if it is of velocities.
  std::string over = "t";
  std::string subject{};  ///< what messages begin with: "observe.integral: heat.x"
  enum Of { of_formula, driving, force, velocity } of = of_formula;
};

/// Needs of an observable: quantities computed at every step or at the end, properties of the run, initial values.
struct Needs {
  bool moments = false;     ///< Measured::moments
  bool squares = false;     ///< the sum of v^2 along every path: underdamped only
  bool windows = false;     ///< Window, path by path
  bool steps = false;       ///< a method with steps
  bool ticks = false;       ///< times may be ticks of a random clock, both those it looks at and those it measures
  bool smooth = false;      ///< V' is continuous, and so are all other forces and amplitudes of noise
  bool velocities = false;  ///< velocities at the ends of steps
  bool coherence = false;   ///< how long oscillations keep their phase: their frequency must be right to their width
  /// The law of displacements over a few steps matters: increments must be normal, not only have the right moments.
  /// early_law: it matters only shortly after the start, if all paths begin at one place.
  bool law = false, early_law = false;
  /// Narrow parts of the law of positions matter. Increments must then be normal where paths come to a place again and
  /// again (a wall, a kink, where events set them), and steps must be short where a kink of an amplitude makes the law.
  bool narrow_parts = false;
  Looks looks = Looks::no;
  std::vector<std::string> formulas{};  ///< functions of the state, which the kernel evaluates at every step
  std::vector<PathIntegral> integrals{};
  std::vector<std::string> at_events{};  ///< functions of the state just before and after events of the script
  /// Energies that a model must define. heat: what passes into baths, each with a temperature. work: also the work of
  /// forces that have no potential. entropy: also the entropy that baths gain, whose temperatures must not be 0.
  enum Energies { none, heat, work, entropy } energies = none;
  std::vector<std::string> constants{};  ///< formulas of the model's parameters: PointFacts::constants
  /// The one of these constants that is an angular frequency: the window is to have whole periods of it. "" for none.
  std::string cycle{};
  std::optional<double> start_x{};     ///< initial x of all paths
  std::vector<double> levels{};        ///< places of its variable that paths are to meet: edges of a walk
  double distance = 0;                 ///< noise must not go as far in a few steps; 0: no matter
  double first_time = 0;               ///< the first time asked for, other than 0; 0 for none
  std::optional<double> force_step{};  ///< extra force under which the same paths are run once more: Window::perturbed
};

/// How axes and files call a column: "<v>", "length/time", "mean velocity". "radian" means an angle, in (-pi, pi].
struct ColumnLabel {
  std::string symbol, unit, meaning;
};

/// The facts of some points, wherever they are.
class FactsOfPoints {
 public:
  struct Iterator {
    using value_type = PointFacts;
    using difference_type = std::ptrdiff_t;
    const PointFacts* const* at = nullptr;
    const PointFacts& operator*() const { return **at; }
    Iterator& operator++() { return ++at, *this; }
    Iterator operator++(int) { return {at++}; }
    bool operator==(const Iterator&) const = default;
  };
  explicit FactsOfPoints(std::span<const PointFacts* const> points) : points_(points) {}
  Iterator begin() const { return {points_.data()}; }
  Iterator end() const { return {points_.data() + points_.size()}; }
  size_t size() const { return points_.size(); }
  const PointFacts& operator[](size_t i) const { return *points_[i]; }

 private:
  std::span<const PointFacts* const> points_;
};

/// Results of a run for one observable.
struct Findings {
  std::span<const std::vector<Estimate>> columns;  ///< by column, by point
  std::span<const Array> arrays;
  FactsOfPoints facts;
};

/// The times that each block of an observable's arrays is made of.
enum class Sampling {
  together,     ///< all times
  evenly,       ///< all times, which are equally far apart
  each,         ///< one time
  since_first,  ///< one time, each but the first, together with the first
  between,      ///< one time and the next
};

/// What was measured of the variable that the observable is of.
struct Measured {
  PointFacts facts;
  WindowMoments moments;  ///< nan unless needed
  Recording recording;
  Window window{};                    ///< empty unless needed
  std::span<const int64_t> sums{};    ///< sums of a counter, if it keeps any
  std::span<const Window> windows{};  ///< of all variables; empty unless needed
  /// Receives the values of Observable::probes.
  std::vector<std::vector<double>>* probes = nullptr;
  /// Receives the probabilities of Observable::halved_densities in both halves of the window, over groups of paths.
  std::vector<HalfMoments>* halves = nullptr;
};

/// A sum along every path that grows in proportion to time in a stationary state: its name in Window::counted, the name
/// of its value at the middle of the window, and the column that it gives.
struct HalvedSum {
  std::string sum, half, column;
};

/// A density over the window, to be compared between its halves: probabilities that a variable is below these places.
struct HalvedDensity {
  std::string variable;
  std::vector<double> places;
  bool velocity = false;
  bool folded = false;  ///< a position in periods, folded into [-1/2, 1/2)
};

/// The numbers of Observable::pooled_numbers, as means over the paths of all shares of a point.
struct Pooled {
  std::vector<double> mean;
  std::vector<double> covariance{};  ///< of these means, row by row, from the scatter of shares; empty: not known
  double paths = 0;  ///< of all shares; NaN if they are not independent, infinity if noise is not to be removed
  double of(size_t i, size_t k) const { return covariance.empty() ? nan : covariance[i * mean.size() + k]; }
  /// f(means), with the error that their covariance gives to leading order.
  Estimate function(const std::function<double(const std::vector<double>&)>& f) const;
};
/// Estimate of one of an observable's columns.
struct ColumnEstimate {
  size_t column;
  Estimate estimate;
};

/// A density of positions of one variable: the index of the array with its values, which the array of its errors
/// follows, and whether its bins are in periods.
struct PositionDensity {
  size_t array;
  bool in_periods;
};
/// A column that is the average of a formula over the window and the paths.
struct AverageOf {
  std::string column, formula;
};

/// One quantity, or several that belong together. A new one needs a file in core/observe/kinds and its name in known.h.
class Observable {
 public:
  virtual ~Observable() = default;
  virtual std::string name() const = 0;
  /// Index of the variable of the model that it is of, or of the formula: formulas come after the variables.
  virtual size_t variable() const { return 0; }
  /// Names of the columns. Each gets a second column NAME_err. None for an observable of arrays only.
  virtual std::vector<std::string> columns() const { return {name()}; }
  /// Label of a column for axes and files.
  virtual ColumnLabel label(const std::string&) const { return {name(), "", name()}; }
  /// Whether a turn more or less makes no difference to a column: means and differences must allow for it.
  bool is_angle(const std::string& column) const { return label(column).unit == "radian"; }
  virtual Needs needs() const { return {}; }
  /// How it could do without times, if these must not be ticks of a random clock: words for a message; "" if it cannot.
  virtual std::string asks_for_times() const { return ""; }
  /// Whether it takes the window for a part of a stationary state. What is left of the start is then an error.
  virtual bool of_stationary_state() const { return needs().moments; }
  /// Whether it measures the growth of variances over the window.
  virtual bool of_spread() const { return false; }
  /// Counters that it needs in the kernel. At all points they are the same, except for the values of their parameters.
  virtual std::vector<Counter> counters(const PointFacts&) const { return {}; }
  /// Times at which all paths are recorded, ascending, in [0, total], equally many at every point. Throws Error if they
  /// are impossible at this point.
  virtual std::vector<double> times(const PointFacts&) const { return {}; }
  /// Its arrays without values, from the facts of the first point.
  virtual std::vector<Array> arrays(const PointFacts&) const { return {}; }
  /// The density that layers at kinks of V may make wrong, and the averages; see engine/kink_layers.cc.
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
  /// Densities whose halves are compared by the check of the transient.
  virtual std::vector<HalvedDensity> halved_densities(const PointFacts&) const { return {}; }
  /// Numbers of a share, means over its paths or other unbiased estimates, from which estimates are made that are not
  /// linear in the paths. Averaged over small shares such estimates would be biased; means of these numbers are not.
  virtual std::vector<double> pooled_numbers(const Measured&) const { return {}; }
  /// The columns that are functions of these numbers; and their estimates from the numbers of all shares.
  virtual std::vector<size_t> pooled_columns() const { return {}; }
  virtual std::vector<ColumnEstimate> of_pooled(const Pooled&, const PointFacts&) const { return {}; }
  /// Fewest paths that give standard errors, if known before the run; 0 if it has no errors.
  virtual double fewest_paths() const { return fewest_parts; }
  /// Warning about its estimates; "" for none. By default it is about too few paths for errors, or about moments that
  /// do not exist with the noise; where there is neither, it is own_warning.
  virtual std::string warning(const Findings& found) const;
  virtual std::string own_warning(const Findings&) const { return ""; }
  /// Order of the moments of displacements in a column or an array; 0: none. The estimate is nan if these moments do
  /// not exist (PointFacts::tail).
  virtual double order(const std::string&) const { return 0; }

 private:
  double fewest_for_squares(const Findings& found, const std::vector<std::string>& names) const;
};

/// A variable of a system, or a formula of its state: formulas come after all variables.
struct ObservedVariable {
  std::string name;
  bool inertial = false;
  std::string formula{};   ///< "" for a variable
  std::string asked_by{};  ///< the first observable that is of the formula
  bool is_formula() const { return !formula.empty(); }
};

/// Throws Error for an unknown observable, an option that it does not have or a value that is not allowed. variables:
/// of a system; none for other models. With them the request must name its own, as of_each_variable does.
std::unique_ptr<Observable> make_observable(const ObservableRequest& request,
                                            std::span<const ObservedVariable> variables = {});
/// Splits a request into requests for one variable each: those that "of" names, or all that have the observable.
/// Without variables it is the request itself. Its formulas are added to the variables. definitions: names of formulas.
std::vector<ObservableRequest> of_each_variable(const ObservableRequest& request,
                                                std::vector<ObservedVariable>& variables,
                                                std::span<const std::string> definitions);
/// An observable of several variables has one array of its times. If it is asked for a second time with other times, it
/// has these under the name of its first variable.
void name_times(std::vector<ObservableRequest>& requests);

std::vector<Estimate> estimates(const Grouped& grouped);

/// Mean and its standard error, sqrt(s^2 / n); the error is NaN for fewer than fewest_parts values.
Estimate mean(std::span<const double> values);
/// Mean and its standard error, made wider as the skewness of the values demands.
Estimate mean_of_skewed(std::span<const double> values);

}  // namespace bmsim
