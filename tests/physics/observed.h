// Runs of one point with observables that have several columns and arrays, by name.
#pragma once
#include <doctest/doctest.h>

#include <algorithm>

#include "ensemble.h"

namespace bmsim::test {

struct Observed {
  Plan plan;
  RunOutcome outcome;

  Estimate column(const std::string& name) const {
    size_t i = 0;
    for (const auto& observable : plan.observables)
      for (const std::string& one : observable->columns()) {
        if (one == name) return outcome.estimates[i][0];
        ++i;
      }
    FAIL("no column " << name);
    return {};
  }
  const Array& array(const std::string& name) const {
    const auto found = std::find_if(outcome.arrays.begin(), outcome.arrays.end(),
                                    [&](const Array& array) { return array.name == name; });
    REQUIRE(found != outcome.arrays.end());
    return *found;
  }
};

inline Observed observe(const Model& model, RunOptions asked, std::vector<ObservableRequest> observables) {
  asked.observables = std::move(observables);
  Observed result{make_plan(model, Sweep(), asked), {}};
  result.outcome = run(result.plan, {});
  return result;
}

}  // namespace bmsim::test
