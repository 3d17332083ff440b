#include "engine/names.h"

#include <algorithm>
#include <array>
#include <set>
#include <string>

#include "error.h"

namespace bmsim {

namespace {

/// What a run may say of every point, beside what was asked for.
constexpr std::array of_points = {"dt",           "spp",   "time",    "periods", "steps", "transient",
                                  "step_warning", "paths", "reached", "levels",  "cost"};

}  // namespace

void check_names_of_results(const Plan& plan, const Sweep& sweep) {
  const std::vector<std::string> parameters = plan.model.parameter_names();
  std::set<std::string> taken(sweep.names().begin(), sweep.names().end());
  const auto take = [&](const std::string& name) {
    if (std::ranges::count(parameters, name))
      fail("observe: a column must not be called '{}', which is a parameter of the model", name);
    if (std::ranges::count(of_points, name))
      fail("observe: a column must not be called '{}', which has a meaning of its own", name);
    if (!taken.insert(name).second)
      fail(
          "observe: names of columns and arrays must be unique, got '{}' twice: give a variable, a formula or an "
          "average another name",
          name);
  };
  const auto take_with_errors = [&](const std::string& name) {
    take(name);
    take(name + "_err");
  };
  const PointFacts facts = facts_of_all(plan);
  for (const auto& observable : plan.observables) {
    for (const std::string& column : observable->columns()) {
      take_with_errors(column);
      if (!is_coupled(plan.options)) continue;
      take_with_errors(column + "_step");
      take_with_errors(column + "_extrapolated");
    }
    for (const Array& array : observable->arrays(facts)) take(array.name);
  }
}

}  // namespace bmsim
