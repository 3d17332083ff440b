#include "engine/estimates.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "engine/angles.h"
#include "hypotenuse.h"
#include "numbers.h"

namespace bmsim {

namespace {

// Mean and standard error over n equal shares, from those over n - 1 shares and of the last one.
double mean_with(double before, double last, double n) { return n == 1 ? last : before + (last - before) / n; }
double error_with(double before, double last, double n) {
  return n == 1 ? last : hypotenuse(before * (n - 1), last) / n;
}

}  // namespace

namespace {

/// Takes out what is of points that are not marked: `size` values for each point.
template <class Value> void keep_marked(std::vector<Value>& values, size_t size, const std::vector<bool>& marked) {
  size_t kept = 0;
  for (size_t point = 0; point < marked.size(); ++point)
    if (marked[point])
      for (size_t k = 0; k < size; ++k) values[kept++] = std::move(values[point * size + k]);
  values.resize(kept);
}

}  // namespace

std::vector<std::string> observable_warnings(const EnsemblePlan& plan,
                                             const std::vector<std::vector<Estimate>>& columns,
                                             const std::vector<Array>& arrays, const std::vector<bool>& of) {
  std::vector<std::string> texts;
  std::vector<PointFacts> facts;
  for (const Point& point : plan.points) {
    facts.push_back(point.facts);
    facts.back().paths *= static_cast<double>(plan.replicas);
  }
  std::vector<std::vector<Estimate>> some_columns;
  std::vector<Array> some_arrays;
  if (!of.empty()) {
    some_columns = columns, some_arrays = arrays;
    keep_marked(facts, 1, of);
    for (auto& column : some_columns) keep_marked(column, 1, of);
    for (Array& array : some_arrays) keep_marked(array.values, array.values.size() / of.size(), of);
  }
  std::span<const std::vector<Estimate>> columns_left = of.empty() ? columns : some_columns;
  std::span<const Array> arrays_left = of.empty() ? arrays : some_arrays;
  for (const auto& observable : plan.observables) {
    const size_t own_columns = observable->columns().size(), own_arrays = observable->arrays(facts[0]).size();
    const std::string text =
        observable->warning({columns_left.first(own_columns), arrays_left.first(own_arrays), facts});
    if (!text.empty()) texts.push_back(text);
    columns_left = columns_left.subspan(own_columns), arrays_left = arrays_left.subspan(own_arrays);
  }
  return texts;
}

Estimates::Estimates(const EnsemblePlan& plan)
    : together_(plan.together()),
      paths_(together_ ? std::numeric_limits<double>::quiet_NaN() : static_cast<double>(plan.paths)),
      pooled_(plan),
      pools_(plan.points.size()),
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
  if (pooled_.any()) of_pools_ = columns_;
  const auto there = [&](const std::string& name) {
    return std::any_of(arrays_.begin(), arrays_.end(), [&](const Array& array) { return array.name == name; });
  };
  for (const Array& array : arrays_) {
    const bool error = array.name.ends_with("_err");
    roles_.push_back(error ? Role::error : there(array.name + "_err") ? Role::value : Role::fixed);
  }
  for (Array& array : arrays_) {
    size_t size = plan.points.size();
    for (const Coordinate& coordinate : array.coordinates) size *= coordinate.values.size();
    array.values.assign(size, nan);
  }
  if (!together_) return;
  squares_.resize(columns, std::vector<double>(plan.points.size()));
  for (const Array& array : arrays_) array_squares_.emplace_back(array.values.size());
}

// Of a mean over n shares. squares: sum of the squares of their deviations from it.
double Estimates::error_of(double squares, double n) const {
  return n < fewest_parts ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(squares / (n * (n - 1)));
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
    Estimate& all = columns_[i][point];
    add(all.value, squares_[i][point], unwrapped(columns[i].value, n == 1 ? 0 : all.value, turns_[i]));
    all.value = within(all.value, turns_[i]);
    // A share says nan where there is no error at all.
    all.error = columns[i].error + error_of(squares_[i][point], n);
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
    const auto of_errors = std::ranges::find(arrays_, arrays_[i].name + "_err", &Array::name);
    const auto e = static_cast<size_t>(of_errors - arrays_.begin());
    for (size_t k = 0; k < arrays[i].size(); ++k)
      of_errors->values[first + k] = arrays[e][k] + error_of(array_squares_[i][first + k], n);
  }
}

void Estimates::pool(size_t point, const std::vector<std::vector<double>>& numbers) {
  if (of_pools_.empty()) return;
  PoolSums& sums = pools_[point];
  sums.add(numbers);
  if (sums.shares < 2) return;
  for (size_t i = 0; i < columns_.size(); ++i) {
    if (!pooled_.pooled(i)) continue;
    const auto whole = pooled_.estimate(i, point, sums.of(pooled_.observable(i), paths_));
    of_pools_[i][point] = whole.value_or(columns_[i][point]);
    // so few shares do not tell the error of their mean by their scatter; each has one of its own
    if (whole && std::isnan(whole->error)) of_pools_[i][point].error = columns_[i][point].error;
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
    Estimate& all = columns_[i][point];
    const double value = mean_with(all.value, unwrapped(columns[i].value, n == 1 ? 0 : all.value, turns_[i]), n);
    all = {within(value, turns_[i]), error_with(all.error, columns[i].error, n)};
  }
  for (size_t i = 0; i < arrays.size(); ++i) {
    if (n > 1 && roles_[i] == Role::fixed) continue;
    double* all = &arrays_[i].values[point * arrays[i].size()];
    for (size_t k = 0; k < arrays[i].size(); ++k)
      all[k] = roles_[i] == Role::error ? error_with(all[k], arrays[i][k], n) : mean_with(all[k], arrays[i][k], n);
  }
}

void Estimates::forget(size_t point) {
  shares_[point] = 0;
  pools_[point] = {};
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
  double worst = std::numeric_limits<double>::quiet_NaN();
  if (columns_.empty()) return worst;
  for (size_t point = 0; point < shares_.size(); ++point) {
    const Estimate& one = column(0, point);
    const double relative = std::abs(one.error / one.value);
    if (shares_[point] > 0 && !std::isnan(relative)) worst = std::fmax(worst, relative);
  }
  return worst;
}

}  // namespace bmsim
