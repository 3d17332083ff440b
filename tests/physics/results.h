// A run's estimates by name, and integrals to hold them to, for tests of systems, events, walls and exits.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "ensemble.h"

namespace bmsim::test {

/// Estimates of a run of one point by name: columns, and elements of arrays that have errors.
struct Results {
  Plan plan;
  RunOutcome outcome;

  Results(const Model& model, RunOptions run, std::vector<ObservableRequest> observables) {
    run.observables = std::move(observables);
    plan = make_plan(model, Sweep(), run);
    outcome = bmsim::run(plan, {});
  }
  Estimate column(const std::string& name) const { return outcome.estimates[plan.column(name)][0]; }
  Estimate element(const std::string& name, size_t i) const {
    return {array(name).values[i], array(name + "_err").values[i]};
  }
  const Array& array(const std::string& name) const {
    const auto found = std::ranges::find(outcome.arrays, name, &Array::name);
    REQUIRE_MESSAGE(found != outcome.arrays.end(), name);
    return *found;
  }
};

inline ObservableRequest average(std::map<std::string, std::string> formulas) {
  return {"average", {}, std::move(formulas)};
}

/// Of f, by Simpson's rule.
template <class F> double integral(double from, double to, F f) {
  constexpr int n = 4000;
  const double h = (to - from) / n;
  double sum = f(from) + f(to);
  for (int i = 1; i < n; ++i) sum += f(from + i * h) * (i % 2 == 1 ? 4 : 2);
  return sum * h / 3;
}

/// All paths begin there.
inline void begin_at(RunOptions& run, const std::string& variable, double x) {
  run.starts[variable] = StartLaw{x, 0, 0, 0};
}

}  // namespace bmsim::test
