#include "engine/estimates.h"

#include <algorithm>

#include "hypotenuse.h"
#include "numbers.h"

namespace bmsim {

namespace {

// Mean and standard error over n equal shares, from those over the first n - 1 shares and those of the last one.
double mean_with(double before, double last, double n) { return n == 1 ? last : before + (last - before) / n; }
double error_with(double before, double last, double n) {
  return n == 1 ? last : hypotenuse(before * (n - 1), last) / n;
}

template <class Value> void keep_marked(std::vector<Value>& values, size_t size, const std::vector<bool>& marked) {
  size_t kept = 0;
  for (size_t point = 0; point < marked.size(); ++point)
    if (marked[point])
      for (size_t k = 0; k < size; ++k) values[kept++] = std::move(values[point * size + k]);
  values.resize(kept);
}

/// Paths of a point before its errors are examined. An estimate and its error are correlated; for a variance the
/// coefficient is nearly 1. Stopping where an error happens to be small therefore biases the mean: in standard errors
/// by about the skewness of the averaged quantity over the square root of this number.
constexpr uint64_t first_look = 1024;
constexpr double safety = 1.1, fastest_growth = 4;  // of the number of paths, between two looks

/// Factor by which the number of paths must grow for one target; 1 or less if it is reached.
double growth(const Target& target, const Estimate& estimate) {
  const double wanted = std::max(target.absolute, target.relative * std::abs(estimate.value));
  const double ratio = estimate.error / wanted;
  return ratio * ratio;
}

double growth(const Plan& plan, const Estimates& estimates, size_t point) {
  double most = 0;
  for (const Target& target : plan.options.targets)
    most = std::max(most, growth(target, estimates.column(plan.column(target.column), point)));
  return most;
}

uint64_t most_shares(const Plan& plan) { return std::max<uint64_t>(1, plan.limit / plan.paths); }

/// Whether more paths cannot help: the point has diverged, or an ensemble of `paths` paths is too small for an error.
bool unknown(const Plan& plan, const Estimates& estimates, size_t point) {
  return std::ranges::any_of(plan.options.targets, [&](const Target& target) {
    const Estimate& estimate = estimates.column(plan.column(target.column), point);
    return std::isnan(estimate.value) || std::isnan(estimate.error);
  });
}

std::vector<Share> shares_of_each(const EnsemblePlan& plan, uint64_t count) {
  std::vector<Share> shares;
  for (uint32_t point = 0; point < plan.points.size(); ++point)
    for (uint64_t number = 0; number < count; ++number) shares.push_back({point, number});
  return shares;
}

}  // namespace

std::vector<std::string> observable_warnings(const EnsemblePlan& plan,
                                             const std::vector<std::vector<Estimate>>& columns,
                                             const std::vector<Array>& arrays, const std::vector<bool>& marked) {
  std::vector<std::string> texts;
  std::vector<PointFacts> of_replicas;
  std::vector<const PointFacts*> facts;
  for (const Point& point : plan.points) {
    if (plan.replicas > 1) of_replicas.push_back(point.facts);
    facts.push_back(&point.facts);
  }
  for (size_t i = 0; i < of_replicas.size(); ++i) {
    of_replicas[i].paths *= static_cast<double>(plan.replicas);
    facts[i] = &of_replicas[i];
  }
  std::vector<std::vector<Estimate>> kept_columns;
  std::vector<Array> kept_arrays;
  if (!marked.empty()) {
    kept_columns = columns, kept_arrays = arrays;
    keep_marked(facts, 1, marked);
    for (auto& column : kept_columns) keep_marked(column, 1, marked);
    for (Array& array : kept_arrays) keep_marked(array.values, array.values.size() / marked.size(), marked);
  }
  std::span<const std::vector<Estimate>> columns_left = marked.empty() ? columns : kept_columns;
  std::span<const Array> arrays_left = marked.empty() ? arrays : kept_arrays;
  for (const auto& observable : plan.observables) {
    const size_t own_columns = observable->columns().size(), own_arrays = observable->arrays(*facts[0]).size();
    const std::string text =
        observable->warning({columns_left.first(own_columns), arrays_left.first(own_arrays), FactsOfPoints(facts)});
    if (!text.empty()) texts.push_back(text);
    columns_left = columns_left.subspan(own_columns), arrays_left = arrays_left.subspan(own_arrays);
  }
  return texts;
}

void PoolSums::add(const std::vector<std::vector<double>>& numbers) {
  constexpr size_t most = 128;  // numbers of an observable whose covariance is summed up
  if (++shares == 1)
    for (const auto& of_observable : numbers) {
      const size_t n = of_observable.size();
      mean.emplace_back(n);
      products.emplace_back(n <= most ? n * n : 0);
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

Estimates::Estimates(const EnsemblePlan& plan)
    : together_(plan.together()),
      paths_(together_ ? nan : static_cast<double>(plan.paths)),
      pooled_(plan),
      pools_(pooled_.any() ? plan.points.size() : 0),
      turns_(turns_of(plan)),
      shares_(plan.points.size()) {
  size_t columns = 0;
  const PointFacts facts = facts_of_all(plan);
  for (const auto& observable : plan.observables) {
    columns += observable->columns().size();
    for (Array& array : observable->arrays(facts)) arrays_.push_back(std::move(array));
  }
  shown_ = arrays_.size();
  for (const auto& observable : plan.observables)
    for (Array& probe : observable->probes(facts)) arrays_.push_back(std::move(probe));
  columns_.resize(columns, std::vector<Estimate>(plan.points.size(), {nan, nan}));
  if (pooled_.any()) pooled_estimates_ = columns_;
  const auto has_errors = [&](const Array& array) {
    return std::ranges::find(arrays_, array.name + "_err", &Array::name) != arrays_.end();
  };
  for (const Array& array : arrays_)
    roles_.push_back(array.name.ends_with("_err") ? Role::error : has_errors(array) ? Role::value : Role::fixed);
  for (Array& array : arrays_) {
    size_t size = plan.points.size();
    for (const Coordinate& coordinate : array.coordinates) size *= coordinate.values.size();
    array.values.assign(size, nan);
  }
  if (!together_) return;
  squares_.resize(columns, std::vector<double>(plan.points.size()));
  for (const Array& array : arrays_) array_squares_.emplace_back(array.values.size());
}

// Standard error of a mean over n shares. squares: sum of their squared deviations from it.
double Estimates::error_of(double squares, double n) const {
  return n < fewest_parts ? nan : std::sqrt(squares / (n * (n - 1)));
}

void Estimates::add_together(size_t point, const std::vector<Estimate>& columns,
                             const std::vector<std::vector<double>>& arrays) {
  const auto n = static_cast<double>(shares_[point]);
  const auto add = [&](double& mean, double& squares, double value) {
    const double before = n == 1 ? value : mean;
    mean = mean_with(mean, value, n);
    squares += (value - before) * (value - mean);
  };
  for (size_t i = 0; i < columns.size(); ++i) {
    Estimate& mean = columns_[i][point];
    add(mean.value, squares_[i][point], unwrapped(columns[i].value, n == 1 ? 0 : mean.value, turns_[i]));
    mean.value = within(mean.value, turns_[i]);
    // The error of a share is nan where there is no error at all, and else 0.
    mean.error = columns[i].error + error_of(squares_[i][point], n);
  }
  for (size_t i = 0; i < arrays.size(); ++i) {
    const size_t first = point * arrays[i].size();
    if (roles_[i] == Role::error) continue;
    for (size_t k = 0; k < arrays[i].size(); ++k) {
      if (roles_[i] == Role::value)
        add(arrays_[i].values[first + k], array_squares_[i][first + k], arrays[i][k]);
      else if (n == 1)
        arrays_[i].values[first + k] = arrays[i][k];
    }
    if (roles_[i] != Role::value) continue;
    const auto errors = std::ranges::find(arrays_, arrays_[i].name + "_err", &Array::name);
    const auto e = static_cast<size_t>(errors - arrays_.begin());
    for (size_t k = 0; k < arrays[i].size(); ++k)
      errors->values[first + k] = arrays[e][k] + error_of(array_squares_[i][first + k], n);
  }
}

void Estimates::pool(size_t point, const std::vector<std::vector<double>>& numbers) {
  if (pooled_estimates_.empty()) return;
  PoolSums& sums = pools_[point];
  sums.add(numbers);
  if (sums.shares < 2) return;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!pooled_.pooled(i)) continue;
    const auto estimate = pooled_.estimate(i, point, sums.of(pooled_.observable(i), paths_));
    pooled_estimates_[i][point] = estimate.value_or(columns_[i][point]);
    // The scatter of so few shares does not tell the error of their mean; the errors of single shares do.
    if (estimate && std::isnan(estimate->error)) pooled_estimates_[i][point].error = columns_[i][point].error;
  }
}

std::vector<std::vector<Estimate>> Estimates::take_columns() {
  for (size_t i = 0; i < columns_.size(); ++i)
    for (size_t point = 0; point < shares_.size(); ++point) columns_[i][point] = column(i, point);
  return std::move(columns_);
}

void Estimates::add(size_t point, const std::vector<Estimate>& columns, const std::vector<std::vector<double>>& arrays,
                    const std::vector<std::vector<double>>& pooled) {
  add_shares(point, columns, arrays);
  pool(point, pooled);
}

void Estimates::add_shares(size_t point, const std::vector<Estimate>& columns,
                           const std::vector<std::vector<double>>& arrays) {
  const auto n = static_cast<double>(++shares_[point]);
  if (together_) return add_together(point, columns, arrays);
  for (size_t i = 0; i < columns.size(); ++i) {
    Estimate& mean = columns_[i][point];
    const double value = mean_with(mean.value, unwrapped(columns[i].value, n == 1 ? 0 : mean.value, turns_[i]), n);
    mean = {within(value, turns_[i]), error_with(mean.error, columns[i].error, n)};
  }
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (n > 1 && roles_[i] == Role::fixed) continue;
    double* values = &arrays_[i].values[point * arrays[i].size()];
    for (size_t k = 0; k < arrays[i].size(); ++k)
      values[k] =
          roles_[i] == Role::error ? error_with(values[k], arrays[i][k], n) : mean_with(values[k], arrays[i][k], n);
  }
}

void Estimates::forget(size_t point) {
  shares_[point] = 0;
  if (!pools_.empty()) pools_[point] = {};
  for (auto& column : columns_) column[point] = {nan, nan};
  for (Array& array : arrays_) {
    const size_t size = array.values.size() / shares_.size();
    std::fill_n(array.values.begin() + static_cast<ptrdiff_t>(point * size), size, nan);
  }
}

std::vector<Array> Estimates::take_arrays() {
  arrays_.erase(arrays_.begin() + static_cast<ptrdiff_t>(shown_), arrays_.end());
  return std::move(arrays_);
}

double Estimates::worst_relative_error() const {
  double worst = nan;
  if (columns_.empty()) return worst;
  for (size_t point = 0; point < shares_.size(); ++point) {
    const Estimate& estimate = column(0, point);
    const double relative = std::abs(estimate.error / estimate.value);
    if (shares_[point] > 0 && !std::isnan(relative)) worst = std::fmax(worst, relative);
  }
  return worst;
}

std::vector<Share> replicas_of_each(const EnsemblePlan& plan) { return shares_of_each(plan, plan.replicas); }

std::vector<Share> first_shares(const Plan& plan) {
  if (plan.options.targets.empty() || plan.together()) return replicas_of_each(plan);
  return shares_of_each(plan, std::clamp<uint64_t>((first_look + plan.paths / 2) / plan.paths, 1, most_shares(plan)));
}

bool reached(const Plan& plan, const Estimates& estimates, size_t point) {
  return !unknown(plan, estimates, point) && growth(plan, estimates, point) <= 1;
}

double expected_steps(const Plan& plan, const Estimates& estimates) {
  const auto most = static_cast<double>(most_shares(plan));
  double steps = 0, steps_of_known = 0, steps_of_all = 0;  // of_known, of_all: with one share of every point
  for (size_t point = 0; point < plan.points.size(); ++point) {
    const double steps_of_share = plan.points[point].time.steps * static_cast<double>(plan.paths);
    steps_of_all += steps_of_share;
    const auto done = static_cast<double>(estimates.shares(point));
    if (done == 0) continue;
    const double wanted = unknown(plan, estimates, point) ? done : done * growth(plan, estimates, point);
    steps += steps_of_share * std::clamp(std::ceil(safety * wanted), done, std::max(done, most));
    steps_of_known += steps_of_share;
  }
  return steps / steps_of_known * steps_of_all;
}

std::vector<Share> more_shares(const Plan& plan, const Estimates& estimates) {
  const uint64_t most = most_shares(plan);
  std::vector<Share> shares;
  for (uint32_t point = 0; point < plan.points.size(); ++point) {
    if (unknown(plan, estimates, point) || reached(plan, estimates, point)) continue;
    const uint64_t done = estimates.shares(point);
    const double factor = std::min(fastest_growth, safety * growth(plan, estimates, point));
    const auto wanted = static_cast<uint64_t>(std::ceil(factor * static_cast<double>(done)));
    for (uint64_t number = done; number < std::min(most, wanted); ++number) shares.push_back({point, number});
  }
  return shares;
}

}  // namespace bmsim
