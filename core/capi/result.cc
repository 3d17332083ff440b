// bm_result_*: columns, info, files.
#include <algorithm>

#include "capi/objects.h"

using namespace bmsim;

namespace {

/// What is in no column, at every point: a parameter, derived ones too, dt, or steps.
const std::vector<double>& evaluated(bm_result& result, const std::string& name) {
  if (const auto found = result.evaluated.find(name); found != result.evaluated.end()) return found->second;
  std::vector<double> values;
  for (const auto& point : result.plan.points) {
    if (name == "dt")
      values.push_back(point.time.dt);
    else if (name == "steps")
      values.push_back(point.time.steps);
    else
      values.push_back(value_of(result.plan.model, point.values, name));
  }
  return result.evaluated[name] = std::move(values);
}

}  // namespace

extern "C" {

void bm_result_free(bm_result* result) { delete result; }
size_t bm_result_points(const bm_result* result) { return result->plan.points.size(); }
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
        if (std::find(names.begin(), names.end(), column.name) == names.end()) names.push_back(column.name);
      names.insert(names.end(), {"dt", "steps"});
      const std::string nearest = nearest_name(name, names);
      if (!nearest.empty()) fail("result: unknown column '{}'; did you mean '{}'?", name, nearest);
      fail("result: unknown column '{}'; known: {}", name, fmt::join(names, ", "));
    }
  });
}

bm_status bm_result_add_column(bm_result* result, const char* name, const double* values, size_t count) {
  return guarded([&] {
    const size_t points = result->plan.points.size();
    if (result->table.find(name) != nullptr) fail("result: there is a column '{}' already", name);
    if (count != points) fail("result: column '{}' needs one value per point, {}, got {}", name, points, count);
    result->table.columns.push_back({name, {values, values + count}});
  });
}

size_t bm_result_info_count(const bm_result* result) { return result->info.size(); }
const char* bm_result_info_key(const bm_result* result, size_t index) {
  return index < result->info.size() ? result->info[index].first.c_str() : nullptr;
}
const char* bm_result_info_value(const bm_result* result, size_t index) {
  return index < result->info.size() ? result->info[index].second.c_str() : nullptr;
}

bm_status bm_result_write(bm_result* result, const char* file) {
  return guarded([&] {
    check_output(file);
    if (!result->dry) write_table(result->table, file);
  });
}

}  // extern "C"
