// What is measured at a point: values with their standard errors, and arrays.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
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

/// What a script asks for: an observable by name, with options. Numbers are lists of one or more.
struct ObservableRequest {
  ObservableRequest(const char* observable) : name(observable) {}
  ObservableRequest(std::string observable, std::map<std::string, std::vector<double>> options,
                    std::map<std::string, std::string> text_options = {})
      : name(std::move(observable)), numbers(std::move(options)), words(std::move(text_options)) {}
  std::string name;
  std::map<std::string, std::vector<double>> numbers;
  std::map<std::string, std::string> words;
};

/// A point as observables see it; times from the start of the run.
struct PointFacts {
  double dt = 0, transient = 0, total = 0;
  double steps = 0;            ///< of the window
  double period = 0;           ///< of the potential, 0 for none
  double drive_period = 0;     ///< the shortest, 0 for none
  double mass = 0, gamma = 1;  ///< mass 0: overdamped
  double force = 0;            ///< the constant one
  double thermal = 0;          ///< D of all Gaussian white noise together
  double paths = 1;
  bool same_times =
      false;  ///< dt, transient and duration are the same at all points: coordinates say the times themselves
  /// Edges of the pieces of V, in [-1/2, 1/2] periods, where the method is exact: Occupation is counted then.
  std::vector<double> edges{};
  /// Moments of displacements exist below this order: alpha of Levy noise, infinity where all exist.
  double tail = std::numeric_limits<double>::infinity();
  bool even_tails = true;                  ///< those of the noise are as heavy on either side
  std::vector<double> grid_x{}, grid_v{};  ///< of initial values, path after path, x fastest; empty: no grid
  double window() const { return total - transient; }
  double length() const { return period > 0 ? period : 1; }  ///< the kernel's unit of x
  /// When a time is recorded: at the next whole step.
  double recorded(double time) const { return std::min(std::round(time / dt) * dt, total); }
  /// Whether means over paths of displacements to this order exist, and whether they have a standard error. That of a
  /// mean is one for even tails, too: a sum over its own root mean square has variance 1 whatever the tails are (B. F.
  /// Logan, C. L. Mallows, S. O. Rice, L. A. Shepp, Ann. Probab. 1, 788, 1973).
  bool has_moment(double order) const { return order < tail; }
  bool has_error(double order) const { return 2 * order < tail || (order == 1 && even_tails && tail > 1); }
};

/// What an observable needs that the kernel does at every step, that paths begin with, or that is summed up at the end.
struct Needs {
  bool moments = false;  ///< Measured::moments
  bool squares = false;  ///< the sum of v^2 along every path: underdamped only
  bool windows = false;  ///< Window, of single paths
  bool steps = false;    ///< a method that makes steps
  bool smooth = false;   ///< V' continuous
  /// Of displacements over a few steps: increments must have the normal law, not its moments alone. The second: where
  /// all paths begin at one place, soon after that.
  bool law = false, early_law = false;
  std::optional<double> start_x{};     ///< where all paths begin
  std::optional<double> force_step{};  ///< the same paths once more with so much more force: Window::perturbed
};

/// What a column is called on axes and in files: "<v>", "length/time", "mean velocity". As in descriptors of plugins.
struct ColumnLabel {
  std::string symbol, unit, meaning;
};

/// What a run has found, as an observable looks back on it: of itself alone.
struct Findings {
  std::span<const std::vector<Estimate>> columns;  ///< by column, by point
  std::span<const Array> arrays;
  std::span<const PointFacts> facts;  ///< by point
};

struct Measured {
  PointFacts facts;
  WindowMoments moments;  ///< nan unless they are needed
  Recording recording;
  Window window{};                  ///< without paths unless they are needed
  std::span<const int64_t> sums{};  ///< of the counter that has some
};

/// One quantity or several that belong together. Adding one: a file in core/observe/kinds, and its function in known.h
/// and observable.cc.
class Observable {
 public:
  virtual ~Observable() = default;
  virtual std::string name() const = 0;
  /// Names of the columns, each of which has another, NAME_err; none for an observable of arrays only.
  virtual std::vector<std::string> columns() const { return {name()}; }
  /// Of its columns, for axes and files: "<v>", "length/time", "mean velocity". Written as in descriptors of plugins.
  virtual std::string symbol() const { return name(); }
  virtual std::string unit() const { return ""; }
  virtual std::string meaning() const { return name(); }
  virtual ColumnLabel label(const std::string&) const { return {symbol(), unit(), meaning()}; }  ///< of a column
  virtual Needs needs() const { return {}; }
  /// What the kernel counts for it along every path of this point; the same at all points but for the parameters'
  /// values.
  virtual std::vector<Counter> counters(const PointFacts&) const { return {}; }
  /// Times at which all paths are to be recorded, ascending, in [0, total]; as many at every point. Throws Error for
  /// what a point cannot have.
  virtual std::vector<double> times(const PointFacts&) const { return {}; }
  /// Its arrays without values, at the first point.
  virtual std::vector<Array> arrays(const PointFacts&) const { return {}; }
  /// One estimate per column; one vector per array.
  virtual void measure(const Measured& measured, std::vector<Estimate>& columns,
                       std::vector<std::vector<double>>& arrays) const = 0;
  /// The fewest paths of which it knows its errors, where that is known before the run; 0: it has none.
  virtual double fewest_paths() const { return fewest_parts; }
  /// What the user should be told of its estimates; "" for nothing. Unless it is told otherwise: that there are too few
  /// paths for errors, or that the noise has no moments for them.
  virtual std::string warning(const Findings& found) const;
  /// Of a column or an array: the order of the moments of displacements that it is made of; 0: none. Where these do not
  /// exist (PointFacts::tail) it is nan.
  virtual double order(const std::string&) const { return 0; }
};

/// Throws Error listing the known ones, or for an option that it does not have or a value that it cannot have.
std::unique_ptr<Observable> make_observable(const ObservableRequest& request);

/// One for each value.
std::vector<Estimate> estimates(const Grouped& grouped);

/// Mean and its standard error, sqrt(s^2 / n); the error is NaN for fewer than fewest_parts values.
Estimate mean(std::span<const double> values);

}  // namespace bmsim
