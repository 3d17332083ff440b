#include "model/walls.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "plugin/state_functions.h"

namespace bmsim {

Walls::Walls(const Model& model, const ModelValues& values, const Component& walls) {
  const StateFunctions& functions = *walls.plugin->state_functions();
  const std::vector<double> nowhere(2 * most_variables + most_fields);
  double places[3] = {};
  functions.add_forces(nowhere.data(), nowhere.data(), 0, values.values[model.index_of(walls)].data(), nullptr, places);
  if (functions.wall()->low) low = places[0];
  if (functions.wall()->high) high = places[1];
  length = places[2];
}

bool Walls::mirror(double& x) const {
  if (!(x < low || x > high)) return false;
  x = std::clamp(x < low ? 2 * low - x : 2 * high - x, low, high);
  return true;
}

std::pair<double, double> between_walls(const Model& model, const ModelValues& values, size_t variable) {
  std::pair<double, double> room = {-std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()};
  for (const Component* component : model.walls()) {
    if (component->variable != variable) continue;
    const Walls walls(model, values, *component);
    room = {std::max(room.first, walls.low), std::min(room.second, walls.high)};
  }
  return room;
}

double white_noise_on(const Model& model, const ModelValues& values, size_t variable) {
  double D = 0;
  for (const Component& noise : model.components())
    if (noise.plugin->has(BM_SIGMA) && noise.variable == variable && model.amplitude_of(noise) == nullptr)
      D += noise.plugin->intensity(values.values[model.index_of(noise)].data()).value_or(0);
  return D;
}

namespace {
/// Throws Error if sticky walls do not go with the rest of the model, or have an illegal length.
void check_sticky(const Model& model, const ModelValues& values, const Component& own, const Walls& walls) {
  const std::string& name = model.variables()[own.variable].name;
  if (!(walls.length >= 0) || std::isinf(walls.length))
    fail("walls.{}: length must be a number of at least 0, got {}", name, walls.length);
  if (model.underdamped())
    fail("walls.{}: sticky walls are for models without inertia; events can hold a particle that has some", name);
  if (!model.events().empty())
    fail("walls.{}: sticky walls do not go with events, and the model has events.{}; \"reflect\" does", name,
         model.events()[0]->name);
  for (const Component& noise : model.components()) {
    if ((*noise.plugin)->kind != BM_NOISE) continue;
    if (noise.plugin->has(BM_EVENTS))
      fail("walls.{}: sticky walls do not go with noise that has events, got {}; \"reflect\" does", name,
           subject_of(noise));
    const Component* amplitude = model.amplitude_of(noise);
    const bool acts = amplitude != nullptr ? amplitude->plugin->state_functions()->acts_on() >> own.variable & 1
                                           : noise.variable == own.variable;
    if (acts && (amplitude != nullptr || noise.plugin->has(BM_INCREMENT)))
      fail(
          "walls.{}: between sticky walls {} is moved by Gaussian noise without an amplitude only, got {}; \"reflect\" "
          "takes others",
          name, name, subject_of(noise));
  }
  if (!(white_noise_on(model, values, own.variable) > 0))
    fail("walls.{}: sticky walls need white Gaussian noise on {}: without it a path meets them once and for all", name,
         name);
  for (const Component* other : model.walls()) {
    const WallShape &a = *own.plugin->state_functions()->wall(), &b = *other->plugin->state_functions()->wall();
    if (other != &own && other->variable == own.variable && ((a.low && b.low) || (a.high && b.high)))
      fail("walls.{}: a variable with sticky walls has one wall on each side, got two on one", name);
  }
}
}  // namespace

void settle_walls(const Model& model, ModelValues& values) {
  for (const Component* component : model.walls()) {
    const Walls walls(model, values, *component);
    const WallShape& shape = *component->plugin->state_functions()->wall();
    const ModelVariable& variable = model.variables()[component->variable];
    if (std::isnan(walls.low) || std::isnan(walls.high) || !(walls.low < walls.high))
      fail("walls.{}: from must be less than to, got {} and {}", variable.name, walls.low, walls.high);
    if (!variable.period.empty())
      fail("walls.{}: a variable with a period has no walls, got period.{} = {}", variable.name, variable.name,
           variable.period);
    if (shape.holds) check_sticky(model, values, *component, walls);
    for (const Component& noise : model.components()) {
      const Component* amplitude = model.amplitude_of(noise);
      if (amplitude == nullptr || shape.absorbs) continue;
      const uint32_t acts_on = amplitude->plugin->state_functions()->acts_on() & ((1U << model.variables().size()) - 1);
      if ((acts_on >> component->variable & 1) && (acts_on & (acts_on - 1)))
        fail("walls.{}: {} must not act on other variables, too: the direction in which walls reflect would be another",
             variable.name, subject_of(noise));
    }
    const int leader = values.variables[component->variable].folds_with;
    if (leader == VariableValues::unfolded) continue;
    for (VariableValues& other : values.variables)
      if (other.folds_with == leader) other.folds_with = VariableValues::unfolded;
  }
}

}  // namespace bmsim
