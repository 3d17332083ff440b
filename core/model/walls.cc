#include "model/walls.h"

#include <cmath>

#include "error.h"
#include "plugin/state_functions.h"

namespace bmsim {

Walls::Walls(const Model& model, const ModelValues& values, const Component& walls) {
  const StateFunctions& functions = *walls.plugin->state_functions();
  const std::vector<double> nowhere(2 * most_variables + most_fields);
  double places[2] = {};
  functions.add_forces(nowhere.data(), nowhere.data(), 0, values.values[model.index_of(walls)].data(), nullptr, places);
  if (functions.wall()->low) low = places[0];
  if (functions.wall()->high) high = places[1];
}

void settle_walls(const Model& model, ModelValues& values) {
  for (const Component* one : model.walls()) {
    const Walls walls(model, values, *one);
    const ModelVariable& variable = model.variables()[one->variable];
    if (std::isnan(walls.low) || std::isnan(walls.high) || !(walls.low < walls.high))
      fail("walls.{}: from must be less than to, got {} and {}", variable.name, walls.low, walls.high);
    if (!variable.period.empty())
      fail("walls.{}: a variable with a period has no walls, got period.{} = {}", variable.name, variable.name,
           variable.period);
    const bool reflects = !one->plugin->state_functions()->wall()->absorbs;
    for (const Component& noise : model.components()) {
      const Component* amplitude = model.amplitude_of(noise);
      if (amplitude == nullptr || !reflects) continue;
      const uint32_t acts_on = amplitude->plugin->state_functions()->acts_on() & ((1U << model.variables().size()) - 1);
      if ((acts_on >> one->variable & 1) && (acts_on & (acts_on - 1)))
        fail("walls.{}: {} must not act on other variables, too: the direction in which walls reflect would be another",
             variable.name, subject_of(noise));
    }
    const int leader = values.variables[one->variable].folds_with;
    if (leader == VariableValues::unfolded) continue;
    for (VariableValues& any : values.variables)
      if (any.folds_with == leader) any.folds_with = VariableValues::unfolded;
  }
}

}  // namespace bmsim
