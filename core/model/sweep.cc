#include "model/sweep.h"

#include <algorithm>
#include <cmath>

#include "error.h"

namespace bmsim {
void Sweep::check_new(const std::string& name) const {
  if (std::ranges::count(names_, name) > 0) fail("sweep: '{}' is swept twice", name);
}

void Sweep::add_axis(std::vector<std::string> names, std::vector<std::vector<double>> columns) {
  constexpr size_t most_points = 10'000'000;  // the parameters of so many take gigabytes
  if (names.empty() || names.size() != columns.size()) fail("sweep: an axis needs a name for each of its columns");
  const size_t length = columns[0].size();
  for (size_t i = 0; i < names.size(); ++i) {
    check_new(names[i]);
    if (columns[i].empty()) fail("sweep: axis '{}' must have at least one value, got none", names[i]);
    if (columns[i].size() != length)
      fail("sweep: columns swept together must have the same length, got {} of '{}' and {} of '{}'", length, names[0],
           columns[i].size(), names[i]);
    for (const double value : columns[i])
      if (!std::isfinite(value)) fail("sweep: values of '{}' must be finite, got {}", names[i], value);
  }
  if (length > most_points / points_)
    fail("sweep: there must be at most {} points, got {} x {} with the axis '{}'", most_points, points_, length,
         names[0]);
  axes_.push_back({names, columns});
  // Every value so far is repeated `length` times, and the new columns cycle fastest.
  for (auto& column : values_) {
    std::vector<double> repeated;
    for (const double value : column) repeated.insert(repeated.end(), length, value);
    column = std::move(repeated);
  }
  for (size_t i = 0; i < names.size(); ++i) {
    std::vector<double> repeated;
    for (size_t n = 0; n < points_; ++n) repeated.insert(repeated.end(), columns[i].begin(), columns[i].end());
    names_.push_back(std::move(names[i]));
    values_.push_back(std::move(repeated));
  }
  points_ *= length;
  axis_names_ = names_.size();
}

Sweep Sweep::only(size_t point) const {
  Sweep result;
  size_t name = 0;
  for (const SweepAxis& axis : axes_) {
    std::vector<std::vector<double>> values;
    for (size_t i = 0; i < axis.names.size(); ++i) values.push_back({values_[name++][point]});
    result.add_axis(axis.names, std::move(values));
  }
  for (; name < names_.size(); ++name) result.set_column(names_[name], {values_[name][point]});
  return result;
}

std::string Sweep::describe(size_t point) const {
  std::string text;
  for (size_t i = 0; i < names_.size(); ++i)
    text += fmt::format("{}{} = {:g}", i == 0 ? "" : ", ", names_[i], values_[i][point]);
  return text;
}

void Sweep::set_column(const std::string& name, std::vector<double> values) {
  check_new(name);
  if (values.size() != points_) fail("sweep: '{}' needs one value per point, {}, got {}", name, points_, values.size());
  for (const double value : values)
    if (!std::isfinite(value)) fail("sweep: values of '{}' must be finite, got {}", name, value);
  names_.push_back(name);
  values_.push_back(std::move(values));
}

}  // namespace bmsim
