// bm_theory_*: exact results at the points of a run or a result.
#include "theory/theory.h"

#include <algorithm>
#include <cmath>

#include "capi/objects.h"

using namespace bmsim;

namespace {

/// Writes the values of all points; place(i) describes point i, for messages.
template <class ValuesAt, class Place>
void write_all(const Model& model, size_t points, const char* name, double from, double* out, ValuesAt values_at,
               Place place) {
  const Theory& theory = find_theory(name);
  TheoryOptions options;
  if (!std::isnan(from)) options.from = from;
  for (size_t i = 0; i < points; ++i) {
    try {
      const std::vector<double> values = evaluate_theory(theory, model, values_at(i), options);
      out = std::copy(values.begin(), values.end(), out);
    } catch (const Error& error) {
      if (points == 1) throw;
      throw Error(fmt::format("{} (at {})", error.what(), place(i)), error.status());
    }
  }
}

/// The model's values at a point of a sweep; names that are not parameters (dt, spp, time, periods) are ignored.
ModelValues values_at(Model model, const Sweep& sweep, size_t point) {
  const auto is_time = [](std::string_view name) {
    return name == "dt" || name == "spp" || name == "time" || name == "periods";
  };
  for (size_t i = 0; i < sweep.names().size(); ++i)
    if (!is_time(sweep.names()[i])) model.set(sweep.names()[i], sweep.values()[i][point]);
  return evaluate(model);
}

}  // namespace

extern "C" {

const char* bm_theory_name(size_t index) {
  const auto all = theories();
  return index < all.size() ? all[index].name.data() : nullptr;
}

const char* bm_theory_quantities(const char* theory) {
  static thread_local std::string text;
  return guarded_pointer([&] {
    text = fmt::format("{}", fmt::join(find_theory(theory).quantities, " "));
    return text.c_str();
  });
}

bm_status bm_theory_run(const bm_run* run, const char* theory, double from, double* values) {
  return guarded([&] {
    const Sweep& sweep = idle(run).sweep;
    write_all(
        run->model, sweep.points(), theory, from, values, [&](size_t i) { return values_at(run->model, sweep, i); },
        [&](size_t i) { return sweep.describe(i); });
  });
}

bm_status bm_theory_result(const bm_result* result, const char* theory, double from, double* values) {
  return guarded([&] {
    const auto& points = result->plan.points;
    write_all(
        result->plan.model, points.size(), theory, from, values, [&](size_t i) { return points[i].values; },
        [](size_t i) { return fmt::format("point {}", i + 1); });
  });
}

}  // extern "C"
