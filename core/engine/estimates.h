// Estimates of every point, put together from its shares: ensembles of `paths` paths each, one unless a run goes on
// until its errors are small enough.
#pragma once
#include <vector>

#include "engine/plan.h"

namespace bmsim {

/// What the observables have to say of the estimates and arrays of a run, one line each.
std::vector<std::string> observable_warnings(const Plan& plan, std::span<const std::vector<Estimate>> columns,
                                             std::span<const Array> arrays);

class Estimates {
 public:
  /// All nan.
  explicit Estimates(const Plan& plan);
  /// What one more share of a point gives. Values are means of those of the shares, which weigh the same; errors are
  /// theirs. Of arrays without errors (times, paths) the first share's are kept.
  void add(size_t point, const std::vector<Estimate>& columns, const std::vector<std::vector<double>>& arrays);
  uint64_t shares(size_t point) const { return shares_[point]; }
  const Estimate& column(size_t column, size_t point) const { return columns_[column][point]; }
  /// The largest |error / value| of the first column over the points that are there; NaN before the first.
  double worst_relative_error() const;

  std::vector<std::vector<Estimate>> take_columns() { return std::move(columns_); }
  std::vector<Array> take_arrays() { return std::move(arrays_); }

 private:
  std::vector<std::vector<Estimate>> columns_;  // by column, by point
  std::vector<Array> arrays_;
  enum class Role { value, error, fixed };
  std::vector<Role> roles_;  // of the arrays
  std::vector<uint64_t> shares_;
};

}  // namespace bmsim
