// Estimates at every point, averaged over its shares, ensembles of `paths` paths: one unless the run has targets.
#pragma once
#include <cmath>
#include <optional>
#include <vector>

#include "plan/plan.h"

namespace bmsim {

/// Warnings of the observables about the estimates and arrays of a run, one line each. marked: whether they look at a
/// point; empty for all points.
std::vector<std::string> observable_warnings(const EnsemblePlan& plan,
                                             const std::vector<std::vector<Estimate>>& columns,
                                             const std::vector<Array>& arrays, const std::vector<bool>& marked);

// Columns that are angles. An angle plus a whole turn is the same angle, so the mean and the difference of two angles
// depend on their turns: these are chosen so that the angles are nearest to each other.

/// A full turn for every column that is an angle, 0 for other columns.
inline std::vector<double> turns_of(const EnsemblePlan& plan) {
  std::vector<double> turns;
  for (const auto& observable : plan.observables)
    for (const std::string& column : observable->columns()) turns.push_back(observable->is_angle(column) ? 2 * pi : 0);
  return turns;
}

/// The angle `value`, moved by whole turns to be nearest to `other`. turn 0: an ordinary number, which stays.
inline double unwrapped(double value, double other, double turn) {
  return turn > 0 ? other + std::remainder(value - other, turn) : value;
}
/// An angle moved into (-turn/2, turn/2].
inline double within(double value, double turn) {
  const double angle = unwrapped(value, 0, turn);
  return turn > 0 && angle <= -turn / 2 ? turn / 2 : angle;
}

// Estimates that are not linear in the paths, from many shares. They are functions of numbers that are linear, averaged
// over all shares (Observable::pooled_numbers). Means of the functions of small shares would be biased.

/// Mean and scatter over shares of the numbers of all observables.
struct PoolSums {
  uint64_t shares = 0;
  std::vector<std::vector<double>> mean, products;  ///< by observable; products: of deviations, summed, by rows
  void add(const std::vector<std::vector<double>>& numbers);
  /// Means of one observable's numbers, and the covariance of these means: empty for fewer than `fewest` shares.
  Pooled of(size_t observable, double paths_of_share, uint64_t fewest = fewest_parts) const;
};

/// Which columns of a plan are functions of pooled numbers.
class PooledColumns {
 public:
  explicit PooledColumns(const EnsemblePlan& plan);
  bool any() const;
  bool pooled(size_t column) const { return column < places_.size() && places_[column].pooled; }
  size_t observable(size_t column) const { return places_[column].observable; }
  /// The estimate of a column at a point; nothing if it is not computed from pooled numbers, or there are none.
  std::optional<Estimate> estimate(size_t column, size_t point, const Pooled& pooled) const;

 private:
  struct Place {
    size_t observable, own;  ///< own: number among the columns of the observable
    bool pooled = false;
  };
  const EnsemblePlan& plan_;
  std::vector<Place> places_;
};

class Estimates {
 public:
  /// All estimates are nan at first.
  explicit Estimates(const EnsemblePlan& plan);
  /// Adds one more share of a point. Values are averaged over the shares with equal weights, and errors are propagated.
  /// Where the paths of a share are one system, errors come from the scatter of at least fewest_parts shares. Arrays
  /// without errors (times, paths) keep the values of the first share. From the second share on, columns that are
  /// functions of pooled numbers are computed from the numbers of all shares.
  void add(size_t point, const std::vector<Estimate>& columns, const std::vector<std::vector<double>>& arrays,
           const std::vector<std::vector<double>>& pooled);
  void forget(size_t point);  ///< drops all shares of a point
  uint64_t shares(size_t point) const { return shares_[point]; }
  const Estimate& column(size_t column, size_t point) const {
    return pooled_.pooled(column) && shares_[point] > 1 ? pooled_estimates_[column][point] : columns_[column][point];
  }
  /// Largest |error / value| of the first column over the points estimated so far; NaN before the first.
  double worst_relative_error() const;

  std::vector<std::vector<Estimate>> take_columns();
  /// All arrays, then all probes (Observable::probes).
  const std::vector<Array>& arrays() const { return arrays_; }
  size_t probes_from() const { return shown_; }  ///< index of the first probe
  std::vector<Array> take_arrays();              ///< without probes

 private:
  double error_of(double squares, double n) const;
  void pool(size_t point, const std::vector<std::vector<double>>& numbers);
  void add_shares(size_t point, const std::vector<Estimate>& columns, const std::vector<std::vector<double>>& arrays);
  void add_together(size_t point, const std::vector<Estimate>& columns, const std::vector<std::vector<double>>& arrays);

  bool together_;
  double paths_;  // of a share
  PooledColumns pooled_;
  std::vector<PoolSums> pools_;                          // by point; empty if no column is of pooled numbers
  std::vector<std::vector<Estimate>> pooled_estimates_;  // by column, by point
  std::vector<double> turns_;                            // by column, see turns_of
  std::vector<std::vector<Estimate>> columns_;           // by column, by point
  std::vector<std::vector<double>> squares_;             // if together: by column, by point, sum (value - mean)^2
  std::vector<std::vector<double>> array_squares_;       // if together: by array and element, sum (value - mean)^2
  std::vector<Array> arrays_;
  size_t shown_ = 0;
  enum class Role { value, error, fixed };
  std::vector<Role> roles_;  // by array
  std::vector<uint64_t> shares_;
};

/// Share `number` of a point, an ensemble of `paths` paths, whose numbers are number * points * paths above share 0's.
struct Share {
  uint32_t point;
  uint64_t number;
  bool perturbed = false;  ///< the same paths under more force; they come before the unperturbed ones
};

/// The first plan.replicas shares of every point.
std::vector<Share> replicas_of_each(const EnsemblePlan& plan);
/// The shares to begin with: those of replicas_of_each; with targets as many as make 1024 paths, or the limit.
std::vector<Share> first_shares(const Plan& plan);
/// Whether a point has reached all targets. A point that has diverged, or whose errors are nan, never does.
bool reached(const Plan& plan, const Estimates& estimates, size_t point);
/// Shares still to be run; none when all points have reached the targets or the limit. Errors fall as 1/sqrt(paths),
/// but are only estimates: so the paths of a point grow at most fourfold between two checks.
std::vector<Share> more_shares(const Plan& plan, const Estimates& estimates);
/// The number of steps of all paths that the targets are expected to take, from the errors known so far. Points without
/// shares are assumed to be like the others. NaN if no point has any.
double expected_steps(const Plan& plan, const Estimates& estimates);

}  // namespace bmsim
