// Datasets: meanings of columns, the long form of arrays, comparison.
#include "output/dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>

#include "error.h"
#include "plan/options.h"
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

struct Known {
  std::string_view name, symbol, unit, meaning;
};
constexpr std::array known_labels = {Known{"force", "f", "force", "constant force"},
                                     Known{"mass", "m", "mass", "mass"},
                                     Known{"gamma", "gamma", "mass/time", "friction"},
                                     Known{"steps", "steps", "", "steps per path"},
                                     Known{"transient", "transient", "time", "duration of the transient"},
                                     Known{"paths", "paths", "", "paths of the estimates"},
                                     Known{"reached", "reached", "", "1 where all errors asked for are reached"},
                                     Known{"levels", "levels", "", "step lengths in use"},
                                     Known{"cost", "cost", "", "steps of all paths"}};

/// The parameter "poisson.D", and which component has it.
std::optional<std::pair<const Component*, const bm_parameter*>> parameter_of(const Plan& plan, std::string_view name) {
  for (const Component& component : plan.model.components())
    for (uint32_t i = 0; i < (**component.plugin).parameter_count; ++i) {
      const bm_parameter& parameter = (**component.plugin).parameters[i];
      if (full_name(component, parameter.name) == name) return std::pair(&component, &parameter);
    }
  return std::nullopt;
}

/// "mass_x" of a system: "mass of x".
std::optional<Label> of_variable(const Model& model, std::string_view name) {
  if (!model.is_system()) return {};
  for (const ModelVariable& variable : model.variables())
    for (const Known& known : known_labels)
      if (name == fmt::format("{}_{}", known.name, variable.name) &&
          std::ranges::count(model.equation_parameters(), name))
        return Label{fmt::format("{}_{}", known.symbol, variable.name), std::string(known.unit),
                     fmt::format("{} {} {}", known.meaning, known.name == "force" ? "on" : "of", variable.name),
                     "parameter"};
  return {};
}

bool has_symbol(const Component& component, std::string_view symbol) {
  const bm_plugin& plugin = **component.plugin;
  return std::any_of(plugin.parameters, plugin.parameters + plugin.parameter_count,
                     [&](const bm_parameter& parameter) { return parameter.symbol == symbol; });
}

/// Whether another component of the model, or its equation, has this symbol, too.
bool is_shared(const Plan& plan, const Component& owner, std::string_view symbol) {
  return std::ranges::any_of(plan.model.components(),
                             [&](const Component& other) { return &other != &owner && has_symbol(other, symbol); }) ||
         std::ranges::any_of(known_labels, [&](const Known& known) {
           return known.symbol == symbol && std::ranges::count(plan.model.equation_parameters(), known.name) > 0;
         });
}

/// The columns that belong to a column of an observable: the ends of their names, their symbols and meanings.
struct Derived {
  const char *suffix, *symbol, *meaning;
};
constexpr std::array<Derived, 3> derived = {{{"", "{}", "{}"},
                                             {"_step", "step error of {}", "step error of the {}"},
                                             {"_extrapolated", "extrapolated {}", "{}, extrapolated to steps of 0"}}};

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

Label label_of(const Plan& plan, std::string_view name) {
  const auto parameter_label = [&]() -> std::optional<Label> {
    const auto found = parameter_of(plan, name);
    if (!found) return {};
    const auto& [component, parameter] = *found;
    std::string symbol = parameter->symbol;
    if (is_shared(plan, *component, symbol)) symbol += " (" + component->name + ")";
    return Label{std::move(symbol), parameter->unit, parameter->doc, "parameter"};
  };
  if (const auto own = of_variable(plan.model, name)) return *own;
  // Parameters of a system's equations may have the names of quantities of other models.
  if (auto own = parameter_label(); own && plan.model.is_system()) return *own;
  for (const Known& known : known_labels)
    if (known.name == name)
      return {std::string(known.symbol), std::string(known.unit), std::string(known.meaning), "parameter"};
  if (const RunOption* option = run_option(name); option != nullptr && option->per_point)
    return {option->name, option->unit, option->meaning, "parameter"};
  // Scripts choose the names of formulas, so that a column may have the name of another column's error.
  for (const auto& observable : plan.observables)
    for (const std::string& column : observable->columns())
      if (column == name) {
        const ColumnLabel label = observable->label(column);
        return {label.symbol, label.unit, label.meaning, "observable"};
      }
  for (const auto& observable : plan.observables) {
    for (const std::string& column : observable->columns()) {
      const ColumnLabel label = observable->label(column);
      for (const auto& [suffix, symbol, meaning] : derived) {
        const std::string whole = column + suffix, shown = fmt::format(fmt::runtime(symbol), label.symbol);
        const std::string words = fmt::format(fmt::runtime(meaning), label.meaning);
        if (whole == name) return {shown, label.unit, words, "observable"};
        if (whole + "_err" == name)
          return {"err(" + shown + ")", label.unit, "standard error of the " + words, "error"};
      }
    }
  }
  return parameter_label().value_or(Label{std::string(name), "", "", "added"});
}

}  // namespace bmsim
