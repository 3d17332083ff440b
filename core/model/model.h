// A model: one potential, any number of noises and drives, a constant force; parameters by name.
//   dx/dt = -V'(x) + force + sum of drives(t) + sum of noises          (overdamped)
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "plugin/schema.h"

namespace bmsim {

/// A plugin in a model, under a name that is unique there ("poisson", or what the script calls it).
struct Component {
  const Plugin* plugin;
  std::string name;
  Given given;
};

class Model {
 public:
  /// name: "" for the plugin's id. Throws Error for an unknown plugin, a name taken or illegal, or a second potential.
  Component& add(uint32_t kind, std::string_view id, std::string_view name);
  /// parameter: "component.parameter" or "force". Throws Error for unknown names (with the nearest) and bad values.
  void set(std::string_view parameter, double value);
  /// Throws Error if there is no such parameter, as set does.
  void check_name(std::string_view parameter) const;
  /// Every parameter name of the model.
  std::vector<std::string> parameter_names() const;

  /// Potential first, then noises, then drives, each in the order they were added; this order also numbers the random
  /// streams. A model without a potential has the free one.
  /// Throws Error if the free potential is needed and not loaded.
  const std::vector<Component>& components() const;
  const Component& potential() const;
  double force() const { return force_; }

 private:
  // Mutable: the free potential joins when the components are first asked for without another, and gives way to one
  // that is added later; until then the plugin that holds it need not be loaded.
  mutable std::vector<Component> components_;
  mutable bool implicit_potential_ = false;
  double force_ = 0;
};

/// What a model is at one sweep point: every value of every component.
struct ModelValues {
  std::vector<std::vector<double>> values;  ///< by component, by slot
  double force = 0;
  double time_scale = 0;  ///< the smallest of the components, INFINITY for none
  double period = 0;      ///< of the potential, 0 for none
};

/// Evaluates the model with its own given parameters.
ModelValues evaluate(const Model& model);
/// "poisson.D" -> the derived value at this point; "force". Throws Error for an unknown name.
double value_of(const Model& model, const ModelValues& values, std::string_view name);

}  // namespace bmsim
