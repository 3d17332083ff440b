// Estimates at every point, averaged over its shares. A share is an ensemble of `paths` paths; there is one for every
// point unless the run has targets.
#pragma once
#include <vector>

#include "engine/pooling.h"
#include "plan/plan.h"

namespace bmsim {

/// Warnings of the observables about the estimates and arrays of a run, one line each. marked: whether they look at a
/// point; empty for all points.
std::vector<std::string> observable_warnings(const EnsemblePlan& plan,
                                             const std::vector<std::vector<Estimate>>& columns,
                                             const std::vector<Array>& arrays, const std::vector<bool>& marked);

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
  std::vector<PoolSums> pools_;                          // by point
  std::vector<std::vector<Estimate>> pooled_estimates_;  // by column, by point
  std::vector<double> turns_;                            // by column, see angles.h
  std::vector<std::vector<Estimate>> columns_;           // by column, by point
  std::vector<std::vector<double>> squares_;             // if together: by column, by point, sum (value - mean)^2
  std::vector<std::vector<double>> array_squares_;       // if together: by array and element, sum (value - mean)^2
  std::vector<Array> arrays_;
  size_t shown_ = 0;
  enum class Role { value, error, fixed };
  std::vector<Role> roles_;  // by array
  std::vector<uint64_t> shares_;
};

}  // namespace bmsim
