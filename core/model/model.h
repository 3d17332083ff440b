// A model: one potential, any number of noises and drives, a constant force; parameters by name.
//   dx/dt = -V'(x) + force + sum of drives(t) + sum of noises                                  (overdamped)
//   mass dv/dt = -gamma v - V'(x) + force + sum of drives(t) + sum of noises,  dx/dt = v       (underdamped)
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model/continuity.h"
#include "plugin/schema.h"

namespace bmsim {

/// A plugin in a model, under a name that is unique there ("poisson", or what the script calls it).
struct Component {
  const Plugin* plugin;
  std::string name;
  Given given{};
  Lists lists{};
  size_t variable = 0;     ///< index of the variable that it acts on
  bool modulates = false;  ///< multiplies the potential by 1 + its force, which is not added
};

/// A variable of the model, with inertia or without. One with inertia has a velocity.
struct ModelVariable {
  std::string name;
  bool inertial = false;
};

class Model {
 public:
  const std::vector<ModelVariable>& variables() const { return variables_; }
  /// name: "" for the plugin's id. Throws Error for an unknown plugin, a name taken or illegal, or a second potential.
  Component& add(uint32_t kind, std::string_view id, std::string_view name);
  /// The same for a plugin that lives as long as the process (Registry::adopt).
  Component& add(const Plugin& plugin, std::string_view name);
  /// parameter: "component.parameter" or one of equation_parameters(). Throws Error for unknown names (with the
  /// nearest), bad values, and for a choice.
  void set(std::string_view parameter, double value);
  /// parameter: "component.list". Throws Error for unknown names, a wrong length, and numbers that are not finite.
  void set_list(std::string_view parameter, std::span<const double> numbers);
  /// Throws Error for unknown names and words, with the nearest, and for a parameter that is no choice.
  void set_choice(std::string_view parameter, std::string_view word);
  /// Throws Error if there is no such component, or it is neither a drive nor a noise that is a force without jumps.
  void modulate(std::string_view component);
  /// Throws Error if there is no such parameter, as set does, or it is a choice or a list.
  void check_sweepable(std::string_view parameter) const;
  /// Every parameter name of the model.
  std::vector<std::string> parameter_names() const;

  /// Potential first, then noises, then drives, each in the order they were added; this order also numbers the random
  /// streams. A model without a potential has the free one.
  /// Throws Error if the free potential is needed and not loaded.
  const std::vector<Component>& components() const;
  const Component& potential() const;
  bool is_free() const;  ///< its potential is the free one, whose period has no meaning for particles
  /// The cache of evaluate(), shared by this model and its copies.
  Continuities& continuities() const { return *continuities_; }

  void make_underdamped() { underdamped_ = variables_[0].inertial = true; }
  bool underdamped() const { return underdamped_; }
  /// Parameters that belong to no component: "force"; and "mass", "gamma" of an underdamped model.
  std::vector<std::string> equation_parameters() const;
  double force() const { return force_; }
  double mass() const { return underdamped_ ? mass_ : 0; }
  double gamma() const { return gamma_; }  ///< 1 if overdamped

 private:
  // Mutable: the free potential is added when the components are first requested without a potential, and removed when
  // one is added later. Before that request its plugin need not be loaded.
  mutable std::vector<Component> components_;
  mutable bool implicit_potential_ = false;
  std::shared_ptr<Continuities> continuities_ = std::make_shared<Continuities>();
  double* equation_parameter(std::string_view name);  // null if there is none
  double force_ = 0, mass_ = 1, gamma_ = 1;
  bool underdamped_ = false;
  std::vector<ModelVariable> variables_{{"x"}};
};

/// A model at one sweep point: every value of every component.
struct ModelValues {
  std::vector<std::vector<double>> values;               ///< by component, by slot
  std::vector<std::vector<std::vector<double>>> arrays;  ///< by component, by array
  double force = 0;
  bool underdamped = false;
  double mass = 0, gamma = 1;
  double time_scale = 0;  ///< the smallest of the components, INFINITY for none
  double period = 0;      ///< of the potential, 0 for none
  /// V' is continuous: the potential says so, and no kink was found.
  bool smooth = true;
  std::shared_ptr<const Continuity> continuity;  ///< of the potential; never null after evaluate()
};

/// Throws Error "noise.poisson: cannot modulate the potential: ..." unless the plugin is a drive, or a noise that may
/// modulate.
void check_modulates(const Plugin& plugin);
/// Evaluates the model with its own given parameters. Throws Error for values that are out of bounds, and for a
/// potential that jumps, see check_continuity.
ModelValues evaluate(const Model& model);
/// Throws Error if the potential is not finite at a place that particles reach from starts x in [from, to].
void check_reached(const Model& model, const ModelValues& values, double from, double to);
/// "poisson.D" -> the value at this point, for a choice the index of its word; also "force" and other own names. Throws
/// Error for an unknown name.
double value_of(const Model& model, const ModelValues& values, std::string_view name);

}  // namespace bmsim
