#include "model/events.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"

namespace bmsim {

EventFunctions::EventFunctions(const Model& model, const ModelValues& values, const Component& event)
    : functions_(*event.plugin->state_functions()),
      own_(values.values[model.index_of(event)].data()),
      variables_(values.variables.size()) {}

std::vector<double> EventFunctions::results_at(const double* x, const double* v, double t,
                                               std::span<const double> numbers) const {
  std::vector<double> state(x, x + variables_), results(functions_.count());
  state.insert(state.end(), numbers.begin(), numbers.end());
  state.resize(variables_ + shape().numbers.size());
  functions_.add_forces(state.data(), v, t, own_, nullptr, results.data());
  return results;
}

double EventFunctions::trigger(const double* x, const double* v, double t) const { return results_at(x, v, t, {})[0]; }

std::vector<double> EventFunctions::values(const double* x, const double* v, double t,
                                           std::span<const double> numbers) const {
  const std::vector<double> results = results_at(x, v, t, numbers);
  return {results.begin() + 1, results.end()};
}

bool white_noise_moves(const Model& model, const EventShape& trigger) {
  uint32_t read = 0;
  for (size_t i = 0; i < model.variables().size(); ++i)
    read |= (model.variables()[i].inertial ? trigger.reads_velocities_of : trigger.reads_variables) & (1U << i);
  return std::ranges::any_of(model.components(), [&](const Component& noise) {
    if (!noise.plugin->has(BM_SIGMA)) return false;
    const Component* amplitude = model.amplitude_of(noise);
    return ((amplitude == nullptr ? 1U << noise.variable : amplitude->plugin->state_functions()->acts_on()) & read) !=
           0;
  });
}

bool comes_at_ends(const Model& model, const EventShape& event) {
  return event.trigger == EventShape::zero &&
         (white_noise_moves(model, event) || std::ranges::any_of(model.components(), [](const Component& component) {
            return component.plugin->has(BM_INCREMENT);
          }));
}
bool has_events_at_ends(const Model& model) {
  return std::ranges::any_of(model.events(), [&](const Component* event) {
    return comes_at_ends(model, *event->plugin->state_functions()->event());
  });
}

namespace {

const std::vector<double> nowhere(most_variables + most_fields);

/// Whether something moves a variable, other than events and walls.
bool is_moved(const Model& model, const ModelValues& values, size_t variable) {
  if (model.variables()[variable].inertial || values.variables[variable].force != 0) return true;
  return std::ranges::any_of(model.components(), [&](const Component& component) {
    const int kind = (*component.plugin)->kind;
    if (kind == event_kind || kind == wall_kind || kind == field_kind) return false;
    const StateFunctions* functions = component.plugin->state_functions();
    return functions == nullptr ? component.variable == variable : (functions->acts_on() >> variable & 1) != 0;
  });
}

/// Throws Error for an event whose zeros cannot be found. A formula that jumps shows no zero at its jump. Noise crosses
/// a zero infinitely often unless the event takes the path away from it.
void check_zero(const Model& model, const ModelValues& values, const Component& event) {
  const EventShape& shape = *event.plugin->state_functions()->event();
  for (size_t i = 0; i < model.variables().size(); ++i)
    if ((shape.jumps_with >> i & 1) != 0 && is_moved(model, values, i))
      fail(
          "events.{}: when must not jump where {} moves: it comes where the formula passes 0; a condition such as "
          "{} > 1 is written \"{} - 1\", with direction = \"up\"",
          event.name, model.variables()[i].name, model.variables()[i].name, model.variables()[i].name);
  if (!white_noise_moves(model, shape)) return;
  const bool moves = std::ranges::any_of(shape.targets, [&](const EventShape::Target& target) {
    return ((target.velocity ? shape.reads_velocities_of : shape.reads_variables) >> target.variable & 1) != 0;
  });
  if (!moves)
    fail(
        "events.{}: white noise passes a zero of `when` infinitely often in any time: set must take the formula away "
        "from 0, by a variable in it",
        event.name);
}

}  // namespace

bool has_changing_rate(const Component& event, size_t numbers) {
  const StateFunctions& functions = *event.plugin->state_functions();
  if (functions.event()->trigger != EventShape::rate) return false;
  numbers += functions.event()->numbers.size();
  for (size_t j = 0; j < numbers; ++j)
    if (functions.depends(0, j)) return true;
  return false;
}

double shortest_interval_of_steps(const Model& model, const ModelValues& values) {
  double shortest = std::numeric_limits<double>::infinity();
  if (model.fields().empty()) return shortest;
  for (const Component* event : model.events()) {
    const EventFunctions functions(model, values, *event);
    if (functions.shape().trigger == EventShape::interval)
      shortest = std::min(shortest, functions.trigger(nowhere.data(), nowhere.data(), 0));
  }
  return shortest;
}

void check_events(const Model& model, const ModelValues& values) {
  for (const Component* event : model.events()) {
    const EventFunctions functions(model, values, *event);
    if (functions.shape().trigger == EventShape::zero) check_zero(model, values, *event);
    if (functions.shape().trigger == EventShape::rate || functions.shape().trigger == EventShape::zero) continue;
    const double number = functions.trigger(nowhere.data(), nowhere.data(), 0);
    const bool rate = functions.shape().trigger == EventShape::constant_rate;
    if (!std::isfinite(number) || !(rate ? number >= 0 : number > 0))
      fail("events.{}: {} must be {} 0 and finite, got {}", event->name, rate ? "rate" : "every", rate ? ">=" : ">",
           number);
  }
}

}  // namespace bmsim
