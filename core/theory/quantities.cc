#include "theory/quantities.h"

#include <initializer_list>
#include <string_view>

#include "error.h"

namespace bmsim::theory {
namespace {

/// "velocity_x" in a system, "velocity" in other models.
std::string of_variable(const Model& model, std::string_view quantity, size_t i) {
  return model.is_system() ? fmt::format("{}_{}", quantity, model.variables()[i].name) : std::string(quantity);
}

Names of_all(const Model& model, std::initializer_list<std::string_view> quantities) {
  Names names;
  for (size_t i = 0; i < model.variables().size(); ++i)
    for (const std::string_view quantity : quantities) names.push_back(of_variable(model, quantity, i));
  return names;
}

}  // namespace

Names of_motion(const Model& model) {
  Names names = of_transport(model);
  const auto& variables = model.variables();
  for (size_t i = 0; i < variables.size(); ++i)
    for (size_t j = i + 1; j < variables.size(); ++j)
      names.push_back(fmt::format("diffusion_{}_{}", variables[i].name, variables[j].name));
  for (size_t i = 0; i < variables.size(); ++i)
    if (variables[i].inertial || !model.is_system()) names.push_back(of_variable(model, "velocity_squared", i));
  return names;
}

Names of_law(const Model& model) {
  Names names = of_motion(model);
  const Names states = state_names(model);
  for (const std::string& state : states) names.push_back("mean_" + state);
  for (size_t i = 0; i < states.size(); ++i)
    for (size_t j = i; j < states.size(); ++j) names.push_back(fmt::format("covariance_{}_{}", states[i], states[j]));
  return names;
}

Names of_transport(const Model& model) { return of_all(model, {"velocity", "diffusion"}); }
Names of_velocity(const Model& model) { return of_all(model, {"velocity"}); }
Names of_diffusion(const Model& model) { return of_all(model, {"diffusion"}); }
Names of_squares(const Model& model) { return of_all(model, {"velocity", "diffusion", "velocity_squared"}); }
Names of_rates(const Model&) { return {"rate", "rate_left", "rate_right"}; }

Names state_names(const Model& model) {
  Names names;
  for (const ModelVariable& variable : model.variables()) names.push_back(variable.name);
  for (const ModelVariable& variable : model.variables())
    if (variable.inertial) names.push_back(model.is_system() ? "v_" + variable.name : "v");
  return names;
}

}  // namespace bmsim::theory
