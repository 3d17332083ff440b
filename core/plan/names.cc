#include "plan/names.h"

#include <algorithm>
#include <set>
#include <string>

#include "error.h"
#include "model/reserved_names.h"

namespace bmsim {

namespace {

/// Throws Error if a parameter has the name of a column that a run with a target or a tolerance adds. A parameter that
/// is not swept may have it in other runs.
void check_parameters(const Plan& plan, const Sweep& sweep, const std::vector<std::string>& parameters) {
  const bool has_columns = !plan.options.targets.empty() || !plan.options.tolerances.empty();
  for (const std::string& name : parameters) {
    if (!reserved::has(reserved::of_errors, name)) continue;
    const bool swept = std::ranges::count(sweep.names(), name) > 0;
    if (swept || has_columns)
      fail("run: a parameter must not be called '{}' {}: results have a column of that name; '{}' would do", name,
           swept ? "where it is swept" : "where a target or a tolerance is given",
           reserved::other_name(name, parameters));
  }
}

}  // namespace

void check_names_of_results(const Plan& plan, const Sweep& sweep) {
  const std::vector<std::string> parameters = plan.model.parameter_names();
  check_parameters(plan, sweep, parameters);
  std::set<std::string> taken(sweep.names().begin(), sweep.names().end());
  const auto take = [&](const std::string& name) {
    if (std::ranges::count(parameters, name))
      fail("observe: a column must not be called '{}', which is a parameter of the model", name);
    if (reserved::is(name)) fail("observe: a column must not be called '{}', which has a meaning of its own", name);
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
      take_with_errors(column + "_step_seen");
      take(column + "_step_resolution");
      if (!is_coupled(plan.options)) continue;
      take_with_errors(column + "_step");
      take_with_errors(column + "_extrapolated");
    }
    for (const Array& array : observable->arrays(facts)) take(array.name);
  }
}

}  // namespace bmsim
