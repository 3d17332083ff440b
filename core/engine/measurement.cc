// Turns the moments, windows and recordings of a share into the estimates of observables.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "engine/reduction.h"
#include "interruption.h"
#include "numbers.h"

namespace bmsim {

size_t velocity_index(const Model& model, size_t variable) {
  size_t index = 0;
  for (size_t i = 0; i < variable; ++i) index += model.variables()[i].inertial ? 1 : 0;
  return index;
}

void Reduction::evaluate_formulas(size_t point, Samples& samples) const {
  const Point& plan_point = plan_.points[point];
  for (size_t k = 0; k < plan_.formulas.size(); ++k) {
    check_interruption();
    const StateFormula& formula = plan_.formulas[k];
    const std::vector<double> inputs = formula.inputs(plan_point.values);
    const auto on_host = [&](std::span<const double* const> numbers, size_t count, double* values) {
      formula.evaluate(inputs, numbers, count, values);
    };
    const auto recorded = static_cast<uint32_t>(formula.state_size());
    samples.evaluate({on_host, formula.operations().operations, formula.operations().arguments, inputs, recorded,
                      static_cast<uint32_t>(layout_.sample_values), static_cast<uint32_t>(recorded + k)},
                     plan_point.marks.size());
  }
}

Recording Reduction::recording_of(size_t point, size_t observable, const Samples& samples) const {
  const Point& plan_point = plan_.points[point];
  std::vector<double> times;
  for (const uint32_t mark : plan_point.marks_of[observable])
    times.push_back(plan_point.marks[mark] * plan_point.time.dt);
  const size_t variable = plan_.observables[observable]->variable(), variables = plan_.model.variables().size();
  SampleValues values{layout_.sample_values, variable, 0, {}};
  if (variable >= variables)
    values.x = plan_.formulas[0].state_size() + (variable - variables);
  else if (plan_.model.variables()[variable].inertial)
    values.v = variables + velocity_index(plan_.model, variable);
  for (const VariableValues& variable_values : plan_point.values.variables)
    values.lengths.push_back(variable_values.length());
  return {samples, std::move(times), plan_point.marks_of[observable], std::move(values)};
}

std::vector<Array> Reduction::shapes_of(const Observable& observable, size_t point) const {
  std::vector<Array> shapes = observable.arrays(plan_.points[point].facts);
  for (Array& probe : observable.probes(plan_.points[point].facts)) shapes.push_back(std::move(probe));
  return shapes;
}

// Sets moments to nan that do not exist under noise with heavy tails: an average over paths does not estimate them.
// Sets errors of moments to nan for which there are too few paths.
void Reduction::drop_moments(size_t observable, size_t point, std::vector<Estimate>& columns,
                             std::vector<std::vector<double>>& arrays) const {
  const Observable& observed = *plan_.observables[observable];
  const PointFacts& of_point = plan_.points[point].facts;
  const size_t variable = std::min(observed.variable(), of_point.variables() - 1);
  if (std::isinf(of_point.tail) && of_point.variable(variable).fewest_for_squares == 0) return;
  const PointFacts facts = of_point.of(variable);
  const auto names = observed.columns();
  for (size_t i = 0; i < columns.size(); ++i) {
    const double order = observed.order(names[i]);
    if (!facts.has_moment(order)) columns[i].value = nan;
    if (!facts.has_moment(order) || !facts.knows_error(order, plan_.paths)) columns[i].error = nan;
  }
  const std::vector<Array> shapes = shapes_of(observed, point);
  for (size_t i = 0; i < arrays.size(); ++i) {
    const double order = observed.order(shapes[i].name);
    if (!facts.has_moment(order) || (shapes[i].name.ends_with("_err") && !facts.knows_error(order, plan_.paths)))
      std::ranges::fill(arrays[i], nan);
  }
}

// The paths of one system do not tell errors: Estimates finds them from the scatter of systems.
void Reduction::forget_errors(size_t observable, size_t point, std::vector<Estimate>& columns,
                              std::vector<std::vector<double>>& arrays) const {
  for (Estimate& column : columns) column.error = 0;
  const std::vector<Array> shapes = shapes_of(*plan_.observables[observable], point);
  for (size_t i = 0; i < arrays.size(); ++i)
    if (shapes[i].name.ends_with("_err")) std::ranges::fill(arrays[i], 0);
}

ShareResult Reduction::estimate(size_t point, const std::vector<WindowMoments>& moments,
                                const std::vector<Window>& windows, const Samples& samples,
                                const std::vector<int64_t>& sums) const {
  ShareResult result;
  std::vector<std::vector<double>> all_probes;  // of all observables: they follow all arrays
  for (size_t i = 0; i < plan_.observables.size(); ++i) {
    check_interruption();
    std::vector<Estimate> columns;
    std::vector<std::vector<double>> arrays, probes;
    const size_t observed = plan_.observables[i]->variable(), variable = observed < windows.size() ? observed : 0;
    const Measured measured{plan_.points[point].facts.of(observed),
                            moments[variable],
                            recording_of(point, i, samples),
                            windows[variable],
                            sums,
                            windows,
                            &probes,
                            &result.halves};
    plan_.observables[i]->measure(measured, columns, arrays);
    const auto shown = static_cast<ptrdiff_t>(arrays.size());
    std::ranges::move(probes, std::back_inserter(arrays));
    const bool pools = plan_.pools && std::isinf(measured.facts.tail);
    result.pooled.push_back(pools ? plan_.observables[i]->pooled_numbers(measured) : std::vector<double>());
    if (plan_.together())  // a system is one sample
      for (HalfMoments& halves : result.halves) halves.paths = 1, halves.change_squares = 0;
    if (plan_.together()) forget_errors(i, point, columns, arrays);
    drop_moments(i, point, columns, arrays);
    result.columns.insert(result.columns.end(), columns.begin(), columns.end());
    std::move(arrays.begin(), arrays.begin() + shown, std::back_inserter(result.arrays));
    std::move(arrays.begin() + shown, arrays.end(), std::back_inserter(all_probes));
  }
  std::ranges::move(all_probes, std::back_inserter(result.arrays));
  return result;
}

}  // namespace bmsim
