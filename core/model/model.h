// A model: potentials, any number of noises and drives, a constant force; parameters by name.
//   dx/dt = -V'(x) + force + sum of drives(t) + sum of noises                                  (overdamped)
//   mass dv/dt = -gamma v - V'(x) + force + sum of drives(t) + sum of noises,  dx/dt = v       (underdamped)
// A system has several variables, each with an equation of one of these kinds, and forces between them.
#pragma once
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "formula/system.h"
#include "model/continuity.h"
#include "plugin/schema.h"

namespace bmsim {

class StateFunctions;

/// A plugin in a model, under a name that is unique there ("poisson", or what the script calls it).
struct Component {
  const Plugin* plugin;
  std::string name;
  Given given{};
  Lists lists{};
  size_t variable = 0;     ///< index of the variable that it acts on
  bool modulates = false;  ///< multiplies the potential by 1 + its force, which is not added
  /// Of an amplitude: the name of its noise.
  std::string multiplies{};
};

/// What the product of a noise and an amplitude that depends on the state means.
enum class Interpretation { ito, stratonovich, anti_ito };
std::string_view interpretation_name(Interpretation interpretation);

/// "potential.formula", or "potential.formula 'well'" if it has a name of its own.
std::string subject_of(const Component& component);

/// "poisson.D"; of a system's equations "k".
std::string full_name(const Component& component, std::string_view parameter);

/// A variable of the model, with inertia or without. One with inertia has a velocity.
struct ModelVariable {
  std::string name;
  bool inertial = false;
  std::string period{};  ///< of a system: formula of its period, "" for none but that of its potentials
  /// Formula of gamma, with which there is no number gamma; "" for none.
  std::string friction{};
  double force = 0, mass = 1, gamma = 1;
};

/// Text of a script for an event: what triggers it, "rate", "every" or "when", the formula of that, and of what
/// variables and velocities are set to.
struct EventText {
  std::string name, trigger{}, formula{};
  std::string direction = "both";  ///< of zeros: "up", "down" or "both"
  std::vector<std::pair<std::string, std::string>> set{};
};

/// Text of a script for the walls of a variable: formulas of parameters for their places, "" for no wall on that side;
/// they reflect paths, or end them.
struct WallText {
  std::string variable, from{}, to{};
  bool absorbs = false;
  std::string length = "";  ///< of walls that hold paths: the adsorption length; "" for others
};

constexpr size_t most_variables = 16, most_observed = 64, most_fields = 16;

/// A function of the state that an observable follows at every step, in which full names of parameters may occur.
struct ObservedFormula {
  std::string text;
  std::string subject = "observe.average";  ///< of messages
  bool of_time = false;                     ///< it may depend on t
  bool of_fields = true;                    ///< it may depend on mean fields
};

class Model {
 public:
  const std::vector<ModelVariable>& variables() const { return variables_; }
  /// Makes an empty model a system. Its parameters and definitions may occur in all its formulas. Throws Error for
  /// names that are illegal or there twice, or too many variables.
  void make_system(std::vector<ModelVariable> variables, std::vector<std::string> parameters = {},
                   std::map<std::string, std::string> definitions = {});
  bool is_system() const { return system_; }
  /// The index of a variable. Throws Error with the nearest name.
  size_t variable(std::string_view name) const;
  /// Of a system: a potential of several variables, by a plugin or by a formula, which comes after all else that may
  /// give a variable a period; and at last the equations. Throw Error, of formulas with a caret under the mistake.
  Component& add_joint(const Plugin& plugin, std::span<const std::string> of, std::string_view name);
  Component& add_energy(const std::string& formula, std::span<const std::string> parameters, std::string_view name);
  void set_equations(const std::vector<std::string>& equations);
  /// Before all these: makes gamma of a variable with inertia a formula, of what equations may contain. Noise that is
  /// given by T is then to have the amplitude sqrt(gamma).
  void set_friction(std::string_view variable, const std::string& formula);
  /// name: "" for the plugin's id. variable: "" for the first. Throws Error for an unknown plugin, a name taken or
  /// illegal, or a second potential of a model that is no system.
  Component& add(uint32_t kind, std::string_view id, std::string_view name, std::string_view variable = "");
  /// The same for a plugin that lives as long as the process (Registry::adopt).
  Component& add(const Plugin& plugin, std::string_view name, std::string_view variable = "");
  /// parameter: "component.parameter" or one of equation_parameters(). Throws Error for unknown names (with the
  /// nearest), bad values, and for a choice.
  void set(std::string_view parameter, double value);
  /// parameter: "component.list". Throws Error for unknown names, a wrong length, and numbers that are not finite.
  void set_list(std::string_view parameter, std::span<const double> numbers);
  /// Throws Error for unknown names and words, with the nearest, and for a parameter that is no choice.
  void set_choice(std::string_view parameter, std::string_view word);
  /// Multiplies a noise by an amplitude: a formula for each variable, "" for 0, of all variables, their velocities, t
  /// and the parameters, which are called "noise.amplitude.parameter". Kicks take it just before they happen. After
  /// potentials and noises. Throws Error for noises that modulate, or with many jumps in a step.
  void add_amplitude(std::string_view noise, const std::vector<std::string>& formulas,
                     const std::vector<std::string>& parameters);
  bool has_amplitude() const;
  bool has_white_amplitude() const;  ///< of white Gaussian noise, which needs an interpretation
  /// The amplitude of a noise, null if it has none; and the noise of an amplitude.
  const Component* amplitude_of(const Component& noise) const;
  const Component& multiplied_by(const Component& amplitude) const;
  size_t index_of(const Component& component) const { return static_cast<size_t>(&component - components_.data()); }
  /// The names that formulas of the state may use: of a system also its parameters and definitions.
  formula::SystemNames formula_names() const { return names_for({}); }
  const std::map<std::string, std::string>& definitions() const { return definitions_; }
  /// An event, which sets variables: at a rate that depends on the state, or after every interval. After potentials;
  /// its parameters are called "event.parameter". Throws Error, of formulas with a caret under the mistake.
  Component& add_event(const EventText& text, const std::vector<std::string>& parameters);
  std::vector<const Component*> events() const;
  /// After potentials; their own parameters are called "wall.parameter", of a system "wall_x.parameter", of absorbing
  /// walls "exit.parameter".
  Component& add_walls(const WallText& text, const std::vector<std::string>& parameters);
  std::vector<const Component*> walls() const;
  bool has_sticky_walls() const;
  const Component* absorbing() const;  ///< walls at which paths end; null if there are none
  /// Of a system: mean fields, by name, averages over all paths of these formulas of variables, velocities, parameters
  /// and definitions. All other formulas may contain them. Before all that has formulas. Throws Error, of formulas with
  /// a caret under the mistake.
  void add_fields(const std::vector<std::pair<std::string, std::string>>& fields);
  const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }
  /// Functions of the state that observables follow at every step. They are the last component, so that nothing else
  /// changes its number.
  void add_observed(const std::vector<ObservedFormula>& formulas);
  const Component* observed() const;  ///< null if there are none
  /// "ito", "stratonovich" or "anti_ito".
  void set_interpretation(std::string_view name);
  Interpretation interpretation() const { return interpretation_; }
  /// Of the drift by which anti-Ito differs from Ito, what noise with an amplitude has: by the interpretation, or all
  /// of it where the amplitude is that of a temperature, since only so is the equilibrium that of the temperature where
  /// friction depends on the velocity.
  double part_of_drift(const Component& noise) const;
  bool is_thermal(const Component& noise) const;  ///< given by T, with a formula of gamma
  /// It multiplies all potentials of its variable, of one of the variables of a system. Throws Error if there is no
  /// such component, or it is neither a drive nor a noise that is a force without jumps, or another variable is
  /// modulated.
  void modulate(std::string_view component);
  /// Throws Error if there is no such parameter, as set does, or it is a choice or a list.
  void check_sweepable(std::string_view parameter) const;
  /// Every parameter name of the model; and those of them that are numbers.
  std::vector<std::string> parameter_names() const;
  std::vector<std::string> number_names() const;

  /// Equations first, then potentials, amplitudes, events, walls, fields, noises, drives and what is observed, each in
  /// the order they were added; this order also numbers the random streams. A model without a potential that is no
  /// system has the free one. Throws Error if the free potential is needed and not loaded.
  const std::vector<Component>& components() const;
  const Component& potential() const;
  bool is_free() const;  ///< its potential is the free one, whose period has no meaning for particles
  /// The cache of evaluate(), shared by this model and its copies.
  Continuities& continuities() const { return *continuities_; }

  void make_underdamped() { variables_[0].inertial = true; }
  bool underdamped() const;  ///< some variable has inertia
  /// Parameters that belong to no component: "force"; and "mass", "gamma" of an underdamped model. Of a system:
  /// "force_x" and so on.
  std::vector<std::string> equation_parameters() const;
  /// What the parameter "force_x" is: a sort of parameter, of a variable. Nothing for other names.
  struct EquationParameter {
    std::string_view sort;
    size_t variable;
  };
  std::optional<EquationParameter> equation_parameter(std::string_view name) const;
  double force() const { return variables_[0].force; }

 private:
  // Mutable: the free potential is added when the components are first requested without a potential, and removed when
  // one is added later. Before that request its plugin need not be loaded.
  mutable std::vector<Component> components_;
  mutable bool implicit_potential_ = false;
  std::shared_ptr<Continuities> continuities_ = std::make_shared<Continuities>();
  double* number_of(const EquationParameter& parameter);
  std::vector<formula::SystemVariable> system_variables() const;
  formula::SystemNames names_for(const std::vector<std::string>& own) const;
  void check_all_used() const;
  Component& insert(Component added);
  std::vector<ModelVariable> variables_{{"x"}};
  bool system_ = false;
  std::vector<std::string> parameters_;                      // of a system
  std::map<std::string, std::string> definitions_;           // of a system
  std::vector<std::pair<std::string, std::string>> fields_;  // of a system
  std::vector<std::string> formulas_;                        // all texts that may contain these
  Interpretation interpretation_ = Interpretation::stratonovich;
};

/// Numbers of a variable at a point.
struct VariableValues {
  static constexpr int unfolded = -1;
  bool inertial = false;
  /// mass 0, gamma 1: without inertia; gamma 0: none, or a formula, which is among the forces.
  double force = 0, mass = 0, gamma = 1;
  double constant_force = 0;  ///< `force` and the constant terms of formulas
  double period = 0;          ///< of its potential, or given; 0 for none
  /// The variable whose whole periods are taken off this one: itself, or another with which it is shifted; or
  /// `unfolded`, if forces change when it is shifted.
  int folds_with = unfolded;
  /// Forces would not change, but formulas that are observed, or of events.
  bool unfolded_for_formulas = false;
  double length() const { return period > 0 ? period : 1; }  ///< unit in kernels
};

/// A model at one sweep point: every value of every component.
struct ModelValues {
  std::vector<std::vector<double>> values;               ///< by component, by slot
  std::vector<std::vector<std::vector<double>>> arrays;  ///< by component, by array
  std::vector<VariableValues> variables;
  /// By event: mask of the folded variables whose whole periods stay where the event sets them.
  std::vector<uint32_t> keeps_periods;
  double time_scale = 0;  ///< the smallest of the components, INFINITY for none
  /// Forces are continuous: potentials say so, and no kink was found.
  bool smooth = true;
  std::string jumps{};  ///< component whose forces or amplitude may jump where the state changes; "" if none may
  std::shared_ptr<const Continuity> continuity;  ///< of the only potential; never null after evaluate(); not of systems
  /// The only variable. Throws Error for a system: what asks for it knows one variable.
  const VariableValues& only() const;
};
/// All forces that depend on the state, at positions x, velocities v of the variables with inertia, followed by mean
/// fields, and time t; not friction.
void add_forces(const Model& model, const ModelValues& values, const double* x, const double* v, double t, double* f);

/// The same for many states. Model and values stay where they are.
class Forces {
 public:
  Forces(const Model& model, const ModelValues& values);
  void add(const double* x, const double* v, double t, double* f) const;
  /// Whether the force on a variable depends on a number of the state, see StateFunctions::depends.
  bool depends(size_t variable, size_t number) const;

 private:
  struct Part {
    const Plugin& plugin;
    const StateFunctions* functions;  // null: of one variable
    const double* values;
    std::vector<bm_numbers> arrays;
    size_t variable;
  };
  const ModelValues& values_;
  std::vector<Part> parts_;
};

/// V(x) and -V'(x) of a model that is no system, whose potential does not depend on time.
struct PotentialFunctions {
  std::function<double(double)> energy, force;
};
PotentialFunctions potential_functions(const Model& model, const ModelValues& values);

/// Throws Error if all formulas of a model together have more operations than compile soon.
void check_operations(const Model& model);

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
