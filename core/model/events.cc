#include "model/events.h"

#include <cmath>

#include "error.h"

namespace bmsim {

EventFunctions::EventFunctions(const Model& model, const ModelValues& values, const Component& event)
    : functions_(*event.plugin->state_functions()),
      own_(values.values[model.index_of(event)].data()),
      variables_(values.variables.size()) {}

std::vector<double> EventFunctions::all(const double* x, const double* v, double t,
                                        std::span<const double> numbers) const {
  std::vector<double> state(x, x + variables_), results(functions_.count());
  state.insert(state.end(), numbers.begin(), numbers.end());
  state.resize(variables_ + shape().numbers.size());
  functions_.add_forces(state.data(), v, t, own_, nullptr, results.data());
  return results;
}

double EventFunctions::trigger(const double* x, const double* v, double t) const { return all(x, v, t, {})[0]; }

std::vector<double> EventFunctions::values(const double* x, const double* v, double t,
                                           std::span<const double> numbers) const {
  const std::vector<double> results = all(x, v, t, numbers);
  return {results.begin() + 1, results.end()};
}

void check_events(const Model& model, const ModelValues& values) {
  const std::vector<double> nowhere(most_variables + most_fields);
  for (const Component* event : model.events()) {
    const EventFunctions functions(model, values, *event);
    if (functions.shape().trigger == EventShape::rate) continue;
    const double number = functions.trigger(nowhere.data(), nowhere.data(), 0);
    const bool rate = functions.shape().trigger == EventShape::constant_rate;
    if (rate ? !(number >= 0 && std::isfinite(number)) : !(number > 0 && std::isfinite(number)))
      fail("events.{}: {} must be {} 0 and finite, got {}", event->name, rate ? "rate" : "every", rate ? ">=" : ">",
           number);
  }
}

}  // namespace bmsim
