// What is measured at a point: values with their standard errors, and arrays.
#pragma once
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "observe/arrays.h"
#include "observe/moments.h"

namespace bmsim {

struct Estimate {
  double value, error;
};

/// What a script asks for: an observable by name, with options. Numbers are lists of one or more.
struct ObservableRequest {
  ObservableRequest(const char* observable) : name(observable) {}
  ObservableRequest(std::string observable, std::map<std::string, std::vector<double>> options)
      : name(std::move(observable)), numbers(std::move(options)) {}
  std::string name;
  std::map<std::string, std::vector<double>> numbers;
};

/// A point as observables see it; times from the start of the run.
struct PointFacts {
  double dt = 0, transient = 0, total = 0;
  double steps = 0;            ///< of the window
  double period = 0;           ///< of the potential, 0 for none
  double drive_period = 0;     ///< the shortest, 0 for none
  double mass = 0, gamma = 1;  ///< mass 0: overdamped
  double window() const { return total - transient; }
};

/// Every path at the times that an observable asked for, in units of length and velocity; x is unfolded.
struct Recording {
  std::vector<double> times;  ///< as they were: whole steps
  size_t paths = 0;
  std::vector<std::span<const double>> x, v;  ///< by time, then by path; v is empty where overdamped
};

struct Measured {
  PointFacts facts;
  WindowMoments moments;
  Recording recording;
};

/// One quantity or several that belong together. Adding one: a class in a file of core/observe, and a line in
/// observable.cc.
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
  virtual bool needs_squares() const { return false; }  ///< the sum of v^2 along every path: underdamped only
  /// Times at which all paths are to be recorded, ascending, in [0, total]; as many at every point. Throws Error for
  /// what a point cannot have.
  virtual std::vector<double> times(const PointFacts&) const { return {}; }
  /// Its arrays without values, at the first point; only for observables that record.
  virtual std::vector<Array> arrays(const PointFacts&) const { return {}; }
  /// One estimate per column; one vector per array.
  virtual void measure(const Measured& measured, std::vector<Estimate>& columns,
                       std::vector<std::vector<double>>& arrays) const = 0;
};

/// Throws Error listing the known ones, or for an option that it does not have or a value that it cannot have.
std::unique_ptr<Observable> make_observable(const ObservableRequest& request);

/// Mean and its standard error, sqrt(s^2 / n); the error is NaN for a single value.
Estimate mean(std::span<const double> values);

}  // namespace bmsim
