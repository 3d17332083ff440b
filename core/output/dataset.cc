// Datasets: meanings of columns, the long form of arrays, comparison.
#include "output/dataset.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "error.h"
#include "output/labels.h"
#include "printable.h"

namespace bmsim {

namespace {

/// Compares values bit for bit, and adds their differences to the result.
void compare_values(const std::vector<double>& a, const std::vector<double>& b, const std::string& name,
                    Difference& result) {
  if (a.size() != b.size()) fail("'{}' has {} numbers, not {}", name, b.size(), a.size());
  result.numbers += a.size();
  for (size_t i = 0; i < a.size(); ++i) {
    if (std::isnan(a[i]) && std::isnan(b[i])) continue;
    if (std::memcmp(&a[i], &b[i], sizeof a[i]) == 0) continue;
    const double distance = std::abs(a[i] - b[i]);
    ++result.different;
    if (result.where.empty() || (!std::isnan(result.largest) && !(distance <= result.largest))) {
      result.largest = distance;
      result.where = name;
    }
  }
}

const Array* find_array(const Dataset& data, const std::string& name) {
  const auto found = std::ranges::find(data.arrays, name, &Array::name);
  return found == data.arrays.end() ? nullptr : &*found;
}

void compare_arrays(const Array& a, const Array& b, Difference& result) {
  if (a.coordinates.size() != b.coordinates.size())
    fail("'{}' has {} coordinates, not {}", a.name, b.coordinates.size(), a.coordinates.size());
  for (size_t c = 0; c < a.coordinates.size(); ++c)
    compare_values(a.coordinates[c].values, b.coordinates[c].values, a.coordinates[c].name, result);
  compare_values(a.values, b.values, a.name, result);
}

}  // namespace

Meaning meaning_of(const Plan& plan, const std::string& column) {
  const Label label = label_of(plan, column);
  if (label.role == "added") return {"", column, ""};
  const size_t dot = column.find('.');
  return {label.symbol, (dot == column.npos ? "" : column.substr(0, dot) + ": ") + label.meaning,
          label.unit.empty() ? "1" : label.unit};
}

const std::string& Dataset::text(std::string_view name) const {
  static const std::string none;
  for (const auto& [key, value] : texts)
    if (key == name) return value;
  return none;
}

Table printable_table(const Dataset& data) {
  Table table = data.table;
  for (Column& column : table.columns) column.name = printable(column.name);
  table.header = printable_lines(table.header);
  return table;
}

Table long_form(const Dataset& data, const std::string& name) {
  const Array* array = find_array(data, name);
  if (array == nullptr) {
    std::vector<std::string> names;
    for (const Array& known : data.arrays) names.push_back(known.name);
    fail("result: unknown array '{}'; known: {}", name,
         names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", ")));
  }
  const Array* error = find_array(data, name + "_err");
  Table table{{}, data.table.header};
  const size_t rows = array->values.size();
  size_t inner = 1;
  for (const auto& coordinate : array->coordinates) inner *= coordinate.values.size();
  const auto add = [&](std::string column, auto value_at) {  // makes the name unique
    while (table.find(column) != nullptr) column = name + "_" + column;
    std::vector<double> values(rows);
    for (size_t row = 0; row < rows; ++row) values[row] = value_at(row);
    table.columns.push_back({std::move(column), std::move(values)});
  };
  for (size_t c = 0; c < data.swept; ++c)
    add(data.table.columns[c].name, [&](size_t row) { return data.table.columns[c].values[row / inner]; });
  size_t stride = inner;
  for (const auto& coordinate : array->coordinates) {
    const size_t length = coordinate.values.size();
    stride /= length;
    add(coordinate.name, [&](size_t row) { return coordinate.values[row / stride % length]; });
  }
  add("value", [&](size_t row) { return array->values[row]; });
  if (error != nullptr && error->values.size() == rows) add("error", [&](size_t row) { return error->values[row]; });
  return table;
}

Difference compare(const Dataset& reference, const Dataset& other) {
  Difference result;
  if (reference.axes.size() != other.axes.size())
    fail("there are {} axes, not {}", other.axes.size(), reference.axes.size());
  for (size_t a = 0; a < reference.axes.size(); ++a)
    if (reference.axes[a].names != other.axes[a].names || reference.axes[a].length() != other.axes[a].length())
      fail("axis {} is '{}' with {} values, not '{}' with {}", a + 1, other.axes[a].names[0], other.axes[a].length(),
           reference.axes[a].names[0], reference.axes[a].length());
  for (const Column& column : reference.table.columns) {
    const Column* same = other.table.find(column.name);
    if (same == nullptr) fail("column '{}' is missing", column.name);
    compare_values(column.values, same->values, column.name, result);
  }
  for (const Array& array : reference.arrays) {
    const Array* same = find_array(other, array.name);
    if (same == nullptr) fail("array '{}' is missing", array.name);
    compare_arrays(array, *same, result);
  }
  if (other.table.columns.size() != reference.table.columns.size() || other.arrays.size() != reference.arrays.size())
    fail("there are {} columns and {} arrays, not {} and {}", other.table.columns.size(), other.arrays.size(),
         reference.table.columns.size(), reference.arrays.size());
  return result;
}

}  // namespace bmsim
