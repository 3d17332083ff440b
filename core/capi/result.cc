// bm_result_*: columns, info, files.
#include <algorithm>

#include "capi/objects.h"
#include "nearest_name.h"

using namespace bmsim;

namespace {

/// A quantity without a column, at every point: a given or derived parameter, dt, steps, or the time of the transient.
const std::vector<double>& evaluated(bm_result& result, const std::string& name) {
  if (const auto found = result.evaluated.find(name); found != result.evaluated.end()) return found->second;
  std::vector<double> values;
  std::function<double(const ModelValues&)> value_at;
  for (const auto& point : result.plan.points) {
    if (name == "dt")
      values.push_back(point.time.dt);
    else if (name == "steps")
      values.push_back(point.time.steps);
    else if (name == "transient")
      values.push_back(point.facts.transient);
    else
      values.push_back((value_at ? value_at : value_at = value_named(result.plan.model, name))(point.values));
  }
  return result.evaluated[name] = std::move(values);
}

const Coordinate* axis_of(const bm_result* result, size_t array, size_t axis) {
  if (array >= result->arrays.size() || axis >= result->arrays[array].coordinates.size()) return nullptr;
  return &result->arrays[array].coordinates[axis];
}

}  // namespace

extern "C" {

void bm_result_free(bm_result* result) { delete result; }
size_t bm_result_points(const bm_result* result) { return result->plan.points.size(); }
int bm_result_is_system(const bm_result* result) { return result->plan.model.is_system() ? 1 : 0; }

size_t bm_result_sweep_axes(const bm_result* result) { return result->sweep.axes().size(); }
size_t bm_result_sweep_length(const bm_result* result, size_t axis) {
  return axis < result->sweep.axes().size() ? result->sweep.axes()[axis].length() : 0;
}
const char* bm_result_sweep_name(const bm_result* result, size_t axis, size_t index) {
  const auto& axes = result->sweep.axes();
  return axis < axes.size() && index < axes[axis].names.size() ? axes[axis].names[index].c_str() : nullptr;
}

size_t bm_result_columns(const bm_result* result) { return result->table.columns.size(); }
const char* bm_result_column_name(const bm_result* result, size_t index) {
  return index < result->table.columns.size() ? result->table.columns[index].name.c_str() : nullptr;
}

const double* bm_result_column(bm_result* result, const char* name) {
  return guarded_pointer([&]() -> const double* {
    if (const Column* column = result->table.find(name)) return column->values.data();
    try {
      return evaluated(*result, name).data();
    } catch (const Error&) {
      std::vector<std::string> names = result->plan.model.parameter_names();
      for (const auto& column : result->table.columns)
        if (std::ranges::count(names, column.name) == 0) names.push_back(column.name);
      names.insert(names.end(), {"dt", "steps", "step_warning", "transient"});
      fail("result: unknown column '{}'{}", name, suggestion(name, names));
    }
  });
}

const char* bm_result_column_property(bm_result* result, const char* name, const char* key) {
  return guarded_pointer([&]() -> const char* {
    if (bm_result_column(result, name) == nullptr) throw Error(bm_error());
    Label& label = result->labels.try_emplace(name, label_of(result->plan, name)).first->second;
    const std::pair<std::string_view, const std::string&> properties[] = {
        {"symbol", label.symbol}, {"unit", label.unit}, {"meaning", label.meaning}, {"role", label.role}};
    for (const auto& [known, text] : properties)
      if (known == key) return text.c_str();
    fail("result: unknown property '{}' of column '{}'; known: symbol, unit, meaning, role", key, name);
  });
}

bm_status bm_result_add_column(bm_result* result, const char* name, const double* values, size_t count) {
  return guarded([&] {
    const size_t points = result->plan.points.size();
    if (*name == '\0') fail("result: the name of a column must not be empty");
    if (result->table.find(name) != nullptr) fail("result: there is a column '{}' already", name);
    if (count != points) fail("result: column '{}' needs one value per point, {}, got {}", name, points, count);
    Column& column = result->table.columns.emplace_back(Column{name, {values, values + count}});
    for (double& value : column.values) value += 0.0;  // -0 is 0
  });
}

size_t bm_result_info_count(const bm_result* result) { return result->info.size(); }
const char* bm_result_info_key(const bm_result* result, size_t index) {
  return index < result->info.size() ? result->info[index].first.c_str() : nullptr;
}
const char* bm_result_info_value(const bm_result* result, size_t index) {
  return index < result->info.size() ? result->info[index].second.c_str() : nullptr;
}

size_t bm_result_arrays(const bm_result* result) { return result->arrays.size(); }
const char* bm_result_array_name(const bm_result* result, size_t array) {
  return array < result->arrays.size() ? result->arrays[array].name.c_str() : nullptr;
}
const char* bm_result_array_label(const bm_result* result, size_t array) {
  return array < result->arrays.size() ? result->arrays[array].label.c_str() : nullptr;
}
const char* bm_result_array_unit(const bm_result* result, size_t array) {
  return array < result->arrays.size() ? result->arrays[array].unit.c_str() : nullptr;
}
const double* bm_result_array_values(const bm_result* result, size_t array) {
  return array < result->arrays.size() ? result->arrays[array].values.data() : nullptr;
}
size_t bm_result_array_axes(const bm_result* result, size_t array) {
  return array < result->arrays.size() ? result->arrays[array].coordinates.size() : 0;
}
const char* bm_result_axis_name(const bm_result* result, size_t array, size_t axis) {
  const Coordinate* found = axis_of(result, array, axis);
  return found != nullptr ? found->name.c_str() : nullptr;
}
const char* bm_result_axis_label(const bm_result* result, size_t array, size_t axis) {
  const Coordinate* found = axis_of(result, array, axis);
  return found != nullptr ? found->label.c_str() : nullptr;
}
const char* bm_result_axis_unit(const bm_result* result, size_t array, size_t axis) {
  const Coordinate* found = axis_of(result, array, axis);
  return found != nullptr ? found->unit.c_str() : nullptr;
}
size_t bm_result_axis_length(const bm_result* result, size_t array, size_t axis) {
  const Coordinate* found = axis_of(result, array, axis);
  return found != nullptr ? found->values.size() : 0;
}
const double* bm_result_axis_values(const bm_result* result, size_t array, size_t axis) {
  const Coordinate* found = axis_of(result, array, axis);
  return found != nullptr ? found->values.data() : nullptr;
}

}  // extern "C"
