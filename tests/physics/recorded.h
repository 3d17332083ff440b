// Runs whose observables are arrays, and their values by name.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "measures.h"

namespace bmsim::test {

struct Recorded {
  Plan plan;
  RunOutcome outcome;
  std::vector<double> end;  ///< x of every path at the end of the run, of the last point
  const std::vector<double>& array(const std::string& name) const {
    const auto found = std::find_if(outcome.arrays.begin(), outcome.arrays.end(),
                                    [&](const Array& array) { return array.name == name; });
    REQUIRE_MESSAGE(found != outcome.arrays.end(), name);
    return found->values;
  }
  Estimate estimate(const std::string& name, size_t i) const { return {array(name)[i], array(name + "_err")[i]}; }
  const Estimate& column(size_t i) const { return outcome.estimates[i][0]; }
};

inline Recorded record(const Model& model, RunOptions asked, std::vector<ObservableRequest> observables,
                       const Sweep& sweep = {}) {
  asked.observables = std::move(observables);
  Recorded result;
  result.plan = make_plan(model, sweep, asked);
  RunHooks hooks;
  hooks.window = [&](size_t, std::span<const Window> windows) {
    result.end.assign(windows[0].end.begin(), windows[0].end.end());
  };
  result.outcome = run(result.plan, hooks);
  return result;
}

}  // namespace bmsim::test
