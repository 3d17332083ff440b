// Standard errors against the scatter of estimates: z = (value - exact)/err over many small ensembles.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "measures.h"

namespace bmsim::test {

/// Exact value of a quantity of which none is known.
constexpr double unknown = std::numeric_limits<double>::quiet_NaN();

/// Whether all comparisons are asked for, not only the first of them.
inline bool all_asked() {
  const char* asked = std::getenv("BMSIM_CALIBRATION");
  return asked != nullptr && std::string(asked) == "all";
}

/// Estimates of one quantity by many ensembles.
struct Quantity {
  std::string name;
  std::vector<Estimate> estimates;
};

/// Deviations in standard errors: their standard deviation is 1, and their mean 0. Errors may all be nan if they need
/// not be known.
inline void check(const Quantity& one, double exact, bool known = true) {
  double sum = 0, squares = 0, n = 0, grand = 0, values = 0;
  for (const Estimate& e : one.estimates)
    if (std::isfinite(e.value)) grand += e.value, values += 1;
  const double truth = std::isnan(exact) ? grand / values : exact;
  for (const Estimate& e : one.estimates) {
    const double z = (e.value - truth) / e.error;
    if (std::isnan(z)) continue;
    sum += z, squares += z * z, n += 1;
  }
  const std::string quantity = one.name;
  CAPTURE(quantity);
  CHECK_MESSAGE((n > 0 || !known), "no ensemble knows its error");
  if (n == 0) return;
  const double mean_of_z = sum / n, sd_of_z = std::sqrt((squares - n * mean_of_z * mean_of_z) / (n - 1));
  CHECK_NEAR(sd_of_z, 1, 0.15);
  if (!std::isnan(exact)) CHECK_NEAR(mean_of_z, 0, 0.25);
}

/// Ensembles of a model: points of a sweep that changes nothing.
struct Ensembles {
  Plan plan;
  RunOutcome outcome;

  Ensembles(const Model& model, RunOptions asked, std::vector<ObservableRequest> observables, size_t count) {
    asked.observables = std::move(observables);
    const std::string force = model.is_system() ? "force_" + model.variables()[0].name : "force";
    Sweep sweep;
    sweep.add_axis({force}, {std::vector<double>(count, model.force())});
    plan = make_plan(model, sweep, asked);
    outcome = run(plan, {});
  }
  /// known_from: paths from which on errors must not all be nan, where it is not known from the name.
  void column(const std::string& name, double exact, uint64_t known_from = 0) const {
    check({name, estimates_of(name)}, exact, known(name, known_from));
  }
  /// One that is known but for rounding: its error is at most `resolution`.
  void known_column(const std::string& name, double exact, double resolution) const {
    for (const Estimate& one : estimates_of(name)) CHECK_EXACT(one, exact, resolution);
  }
  void element(const std::string& name, size_t k, double exact, uint64_t known_from = 0) const {
    const Array *value = find(name), *error = find(name + "_err");
    const size_t size = value->values.size() / plan.points.size();
    Quantity one{name + "[" + std::to_string(k) + "]", {}};
    for (size_t point = 0; point < plan.points.size(); ++point)
      one.estimates.push_back({value->values[point * size + k], error->values[point * size + k]});
    check(one, exact, known(name, known_from));
  }

 private:
  const std::vector<Estimate>& estimates_of(const std::string& name) const {
    size_t i = 0;
    for (const auto& observable : plan.observables)
      for (const std::string& one : observable->columns()) {
        if (one == name) return outcome.estimates[i];
        ++i;
      }
    FAIL("no column " << name);
    return outcome.estimates.front();
  }
  bool known(const std::string& name, uint64_t from) const {
    const auto has = [&](const char* word) { return name.find(word) != std::string::npos; };
    const uint64_t by_name = has("cumulant_4") || has("non_gaussianity") ? 4096
                             : has("cumulant_3")                         ? 1024
                             : has("peclet")                             ? 256
                                                                         : 0;
    return plan.paths >= std::max(from, by_name);
  }
  const Array* find(const std::string& name) const {
    const auto found = std::find_if(outcome.arrays.begin(), outcome.arrays.end(),
                                    [&](const Array& array) { return array.name == name; });
    REQUIRE_MESSAGE(found != outcome.arrays.end(), name);
    return &*found;
  }
};

/// Ensembles of 64 and 256 paths, and to `most` where all is asked for; as many as make the scatter known to 2 %.
template <class F> void for_paths(uint64_t most, F body) {
  for (uint64_t paths = 64; paths <= most; paths *= 4) {
    if (paths > 256 && !all_asked()) continue;
    CAPTURE(paths);
    body(paths, paths == 64 ? size_t{2000} : size_t{1000});
  }
}

}  // namespace bmsim::test
