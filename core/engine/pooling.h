// Estimates that are not linear in the paths, from many shares. They are functions of numbers that are linear, averaged
// over all shares (Observable::pooled_numbers). Means of the functions of small shares would be biased.
#pragma once
#include <optional>
#include <vector>

#include "plan/plan.h"

namespace bmsim {

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

}  // namespace bmsim
