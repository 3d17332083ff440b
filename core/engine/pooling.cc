#include "engine/pooling.h"

#include <algorithm>
#include <cmath>

namespace bmsim {

namespace {

/// Most numbers of an observable whose covariance is summed up.
constexpr size_t most_numbers = 128;

}  // namespace

void PoolSums::add(const std::vector<std::vector<double>>& numbers) {
  if (++shares == 1)
    for (const auto& of_observable : numbers) {
      const size_t n = of_observable.size();
      mean.emplace_back(n);
      products.emplace_back(n <= most_numbers ? n * n : 0);
    }
  std::vector<double> before, after;
  for (size_t o = 0; o < numbers.size(); ++o) {
    const size_t n = numbers[o].size();
    before.resize(n), after.resize(n);
    for (size_t i = 0; i < n; ++i) {
      before[i] = numbers[o][i] - mean[o][i];
      mean[o][i] += before[i] / static_cast<double>(shares);
      after[i] = numbers[o][i] - mean[o][i];
    }
    if (products[o].empty()) continue;
    for (size_t i = 0; i < n; ++i)
      for (size_t k = 0; k < n; ++k) products[o][i * n + k] += before[i] * after[k];
  }
}

Pooled PoolSums::of(size_t observable, double paths_of_share, uint64_t fewest) const {
  if (observable >= mean.size()) return {};
  const auto n = static_cast<double>(shares);
  Pooled pooled{.mean = mean[observable], .paths = n * paths_of_share};
  if (shares < std::max<uint64_t>(2, fewest)) return pooled;
  for (const double sum : products[observable]) pooled.covariance.push_back(sum / (n * (n - 1)));
  return pooled;
}

PooledColumns::PooledColumns(const EnsemblePlan& plan) : plan_(plan) {
  for (size_t o = 0; o < plan.observables.size(); ++o) {
    const size_t count = plan.observables[o]->columns().size();
    const std::vector<size_t> pooled = plan.observables[o]->pooled_columns();
    for (size_t i = 0; i < count; ++i) places_.push_back({o, i, std::ranges::count(pooled, i) > 0});
  }
}

bool PooledColumns::any() const { return std::ranges::any_of(places_, &Place::pooled); }

std::optional<Estimate> PooledColumns::estimate(size_t column, size_t point, const Pooled& pooled) const {
  const Place& place = places_[column];
  if (pooled.mean.empty()) return {};
  const Observable& observable = *plan_.observables[place.observable];
  const PointFacts facts = plan_.points[point].facts.of(observable.variable());
  for (auto [own, estimate] : observable.of_pooled(pooled, facts)) {
    if (own != place.own) continue;
    const double order = observable.order(observable.columns()[place.own]);
    if (!facts.has_error(order) || pooled.paths < facts.fewest_for_order(order)) estimate.error = std::nan("");
    return estimate;
  }
  return {};
}

}  // namespace bmsim
