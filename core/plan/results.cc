#include "plan/results.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <string>

#include "error.h"
#include "model/reserved_names.h"
#include "plugin/state_functions.h"

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

/// Fewest paths where the law may be as heavy-tailed as a lognormal or an exponential one.
constexpr double fewest_of_heavy = 512;

/// Whether sizes at states a thousand times farther away are `much` times as large. f(state) returns a size. States at
/// which it is not defined are left out.
template <class F> bool grows(size_t numbers, double much, F f) {
  constexpr int trials = 16;
  double near = 0, far = 0;
  std::vector<double> state(numbers);
  for (int trial = 0; trial < trials; ++trial) {
    double sizes[2];
    for (const int k : {0, 1}) {
      for (size_t i = 0; i < numbers; ++i) {  // in all directions; R. D. Richtmyer, 1951
        const double turns = std::sqrt(static_cast<double>(2 + 3 * i)) * (trial + 1);
        state[i] = (k == 0 ? 1e3 : 1e6) * (2 * (turns - std::floor(turns)) - 1);
      }
      sizes[k] = f(state);
    }
    if (std::isnan(sizes[0]) || std::isnan(sizes[1])) continue;
    near += sizes[0], far += sizes[1];
  }
  return far > much * near;
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

void check_targets(const Plan& plan) {
  for (const Target& target : plan.options.targets) {
    size_t column = plan.column(target.column), i = 0;
    for (; column >= plan.observables[i]->columns().size(); ++i) column -= plan.observables[i]->columns().size();
    const Observable& observable = *plan.observables[i];
    double fewest = std::max(64.0, observable.fewest_paths());
    for (const Point& point : plan.points)
      fewest =
          std::max(fewest, point.facts.of(observable.variable()).fewest_for_order(observable.order(target.column)));
    if (plan.together()) {
      if (plan.replicas < default_replicas)
        fail("run: target: {} needs replicas >= {}, whose scatter is its error; got {}", target.column,
             default_replicas, plan.replicas);
    } else if (static_cast<double>(plan.paths) < fewest)
      fail("run: target: {} needs paths >= {}, since a smaller ensemble does not know its error; got {}", target.column,
           fewest, plan.paths);
  }
}

double fewest_for_squares(const Model& model, const ModelValues& values) {
  const size_t n = values.variables.size();
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& component = model.components()[k];
    if ((*component.plugin)->kind != amplitude_kind) continue;
    const StateFunctions& b = *component.plugin->state_functions();
    if (b.reads_variables() == 0 && b.reads_velocities_of() == 0) continue;
    const bool heavy = grows(2 * n, 2, [&](std::vector<double> state) {
      std::vector<double> amplitudes(2 * n);
      state.resize(2 * n + most_fields, 1);
      b.add_forces(state.data(), state.data() + n, 0, values.values[k].data(), nullptr, amplitudes.data());
      double size = 0;
      for (size_t i = 0; i < n; ++i) size += std::abs(amplitudes[i]);
      return size;
    });
    if (heavy) return fewest_of_heavy;
  }
  return 0;
}

double fewest_for_squares(const StateFormula& formula, const ModelValues& values) {
  if (formula.linear()) return 0;
  const std::vector<double> inputs = formula.inputs(values);
  const bool heavy = grows(formula.state_size(), 2e3,
                           [&](const std::vector<double>& state) { return std::abs(formula.at(inputs, state)); });
  return heavy ? fewest_of_heavy : 0;
}

void set_tail(const Model& model, const ModelValues& values, PointFacts& facts) {
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Plugin& noise = *model.components()[k].plugin;
    const double* numbers = values.values[k].data();
    if (!has_heavy_tails(noise, numbers)) continue;
    facts.tail = std::min(facts.tail, *number_of(noise, numbers, "alpha"));
    facts.even_tails = facts.even_tails && number_of(noise, numbers, "beta") == 0.0;
  }
}

}  // namespace bmsim
