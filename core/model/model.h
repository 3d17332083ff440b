// A model: potentials, any number of noises and drives, a constant force; parameters by name.
//   dx/dt = -V'(x) + force + sum of drives(t) + sum of noises                                  (overdamped)
//   mass dv/dt = -gamma v - V'(x) + force + sum of drives(t) + sum of noises,  dx/dt = v       (underdamped)
// A system has several variables, each with an equation of one of these kinds, and forces between them.
#pragma once
#include <array>
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
#include "shared.h"

namespace bmsim {

class StateFunctions;

/// A plugin in a model, under a name that is unique in the model: "poisson", or what the script calls it.
struct Component {
  const Plugin* plugin;
  std::string name;
  Given given{};
  Lists lists{};
  size_t variable = 0;       ///< index of the variable that it acts on
  bool modulates = false;    ///< multiplies the potential by 1 + its force, which is not added
  std::string multiplies{};  ///< of an amplitude: the name of its noise
};

/// The meaning of the product of a noise and an amplitude that depends on the state.
enum class Interpretation { ito, stratonovich, anti_ito };
std::string_view interpretation_name(Interpretation interpretation);

/// "potential.formula", or "potential.formula 'well'" if it has a name of its own.
std::string subject_of(const Component& component);

/// "poisson.D"; for a parameter of a system's equations "k".
std::string full_name(const Component& component, std::string_view parameter);

/// A variable of the model, with inertia or without. A variable with inertia has a velocity.
struct ModelVariable {
  std::string name;
  bool inertial = false;
  std::string period{};    ///< of a system: formula of its period; "": it has that of its potentials, if any
  std::string friction{};  ///< formula of gamma, with which there is no number gamma; "" for none
  double force = 0, mass = 1, gamma = 1;
};

/// An event as the script has it: its trigger, "rate", "every" or "when", the formula of the trigger, and the formulas
/// of the values that variables and velocities are set to.
struct EventText {
  std::string name, trigger{}, formula{};
  std::string direction = "both";  ///< of zeros: "up", "down" or "both"
  std::vector<std::pair<std::string, std::string>> set{};
};

/// The walls of a variable as the script has them: formulas of parameters for their places, "" for no wall on that
/// side. They reflect paths, or end them.
struct WallText {
  std::string variable, from{}, to{};
  bool absorbs = false;
  std::string length = "";  ///< of walls that hold paths: the adsorption length; "" for other walls
};

constexpr size_t most_variables = 16, most_observed = 64, most_fields = 16;

/// A function of the state that an observable follows at every step. Full names of parameters may occur in it.
struct ObservedFormula {
  std::string text;
  std::string subject = "observe.average";  ///< of messages
  bool of_time = false;                     ///< whether it may depend on t
  bool of_fields = true;                    ///< whether it may depend on mean fields
};

class Model {
 public:
  const std::vector<ModelVariable>& variables() const { return variables_; }
  /// Makes an empty model a system. Its parameters and definitions may occur in all its formulas. Throws Error for
  /// names that are illegal or occur twice, and for too many variables.
  void make_system(std::vector<ModelVariable> variables, std::vector<std::string> parameters = {},
                   std::map<std::string, std::string> definitions = {});
  bool is_system() const { return system_; }
  /// The index of a variable. Throws Error with the nearest name if there is none.
  size_t variable(std::string_view name) const;
  /// Add a potential of several variables to a system, by a plugin or by a formula. A formula comes after everything
  /// else that may give a variable a period. Throw Error, for formulas with a caret under the mistake.
  Component& add_joint(const Plugin& plugin, std::span<const std::string> variables, std::string_view name);
  Component& add_energy(const std::string& formula, std::span<const std::string> parameters, std::string_view name);
  /// Sets the equations of a system, after all its potentials. Throws Error with a caret under the mistake.
  void set_equations(const std::vector<std::string>& equations);
  /// Makes gamma of a variable with inertia a formula, of what equations may contain; before all potentials and
  /// equations. Noise that is given by T must then have the amplitude sqrt(gamma).
  void set_friction(std::string_view variable, const std::string& formula);
  /// name: "" for the plugin's id. variable: "" for the first. Throws Error for an unknown plugin, for a name that is
  /// taken or illegal, and for a second potential of a model that is no system.
  Component& add(uint32_t kind, std::string_view id, std::string_view name, std::string_view variable = "");
  /// Adds a plugin that lives as long as the process (Registry::adopt).
  Component& add(const Plugin& plugin, std::string_view name, std::string_view variable = "");
  /// parameter: "component.parameter" or one of equation_parameters(). Throws Error for an unknown name (with the
  /// nearest), a bad value, and a choice.
  void set(std::string_view parameter, double value);
  /// parameter: "component.list". Throws Error for an unknown name, a wrong length, and numbers that are not finite.
  void set_list(std::string_view parameter, std::span<const double> numbers);
  /// Throws Error for an unknown name or word, with the nearest, and for a parameter that is no choice.
  void set_choice(std::string_view parameter, std::string_view word);
  /// Multiplies a noise by an amplitude: a formula for each variable, "" for 0, of all variables, their velocities, t
  /// and the parameters, which are called "noise.amplitude.parameter". Kicks take its value just before they happen.
  /// Comes after potentials and noises. Throws Error for noise that modulates, or that has many jumps in a step.
  void add_amplitude(std::string_view noise, const std::vector<std::string>& formulas,
                     const std::vector<std::string>& parameters);
  bool has_amplitude() const;
  bool has_white_amplitude() const;  ///< whether white Gaussian noise has one, which needs an interpretation
  /// The amplitude of a noise, null if it has none; and the noise of an amplitude.
  const Component* amplitude_of(const Component& noise) const;
  const Component& multiplied_by(const Component& amplitude) const;
  size_t index_of(const Component& component) const { return static_cast<size_t>(&component - components_.data()); }
  /// The names that formulas of the state may use: in a system its parameters and definitions, too.
  formula::SystemNames formula_names() const { return names_for({}); }
  const std::map<std::string, std::string>& definitions() const { return definitions_; }
  /// Adds an event, which sets variables: at a rate that depends on the state, after every interval, or at zeros of a
  /// formula. Comes after potentials. Its parameters are called "event.parameter". Throws Error, for formulas with a
  /// caret under the mistake.
  Component& add_event(const EventText& text, const std::vector<std::string>& parameters);
  std::vector<const Component*> events() const;
  /// Adds walls, after potentials. Their own parameters are called "wall.parameter", in a system "wall_x.parameter";
  /// those of absorbing walls "exit.parameter", those of sticky walls "sticky.parameter".
  Component& add_walls(const WallText& text, const std::vector<std::string>& parameters);
  std::vector<const Component*> walls() const;
  bool has_sticky_walls() const;
  const Component* absorbing() const;  ///< walls at which paths end; null if there are none
  /// Adds mean fields to a system, by name: averages over all paths of these formulas of variables, velocities,
  /// parameters and definitions. All other formulas may contain them. Comes before everything that has formulas. Throws
  /// Error, for formulas with a caret under the mistake.
  void add_fields(const std::vector<std::pair<std::string, std::string>>& fields);
  const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }
  /// Adds the functions of the state that observables follow at every step. They are the last component, so that no
  /// other changes its number.
  void add_observed(const std::vector<ObservedFormula>& formulas);
  const Component* observed() const;  ///< null if there are none
  /// "ito", "stratonovich" or "anti_ito".
  void set_interpretation(std::string_view name);
  Interpretation interpretation() const { return interpretation_; }
  /// How much noise with an amplitude has of the drift by which anti-Ito differs from Ito: 0 to 1 by the
  /// interpretation; 1 where the amplitude is that of a temperature, since only then is the equilibrium that of the
  /// temperature where friction depends on the velocity.
  double part_of_drift(const Component& noise) const;
  bool is_thermal(const Component& noise) const;  ///< whether it is given by T, where gamma is a formula
  /// Makes a component multiply all potentials of its variable; in a system only one variable can be modulated. Throws
  /// Error if there is no such component, if it is neither a drive nor a noise that is a force without jumps, or if
  /// another variable is modulated.
  void modulate(std::string_view component);
  /// Throws Error if there is no such parameter, as set() does, or if it is a choice or a list.
  void check_sweepable(std::string_view parameter) const;
  /// The names of all parameters of the model, and of those that are numbers.
  std::vector<std::string> parameter_names() const;
  std::vector<std::string> number_names() const;

  /// Equations first, then potentials, amplitudes, events, walls, fields, noises, drives and what is observed, each in
  /// the order in which they were added. This order also numbers the random streams. A model that is no system, and has
  /// no potential, gets the free one. Throws Error if the free potential is needed and not loaded.
  const std::vector<Component>& components() const;
  const Component& potential() const;
  bool is_free() const;  ///< whether its potential is the free one, whose period means nothing to particles
  /// The cache of evaluate(), shared by this model and its copies.
  Continuities& continuities() const { return *continuities_; }

  void make_underdamped() { variables_[0].inertial = true; }
  bool underdamped() const;  ///< whether some variable has inertia
  /// Parameters that belong to no component: "force", and for an underdamped model "mass" and "gamma". In a system:
  /// "force_x" and so on.
  std::vector<std::string> equation_parameters() const;
  /// What a parameter such as "force_x" is: the force on the variable x. Nothing for other names.
  struct EquationParameter {
    std::string_view sort;
    size_t variable;
  };
  std::optional<EquationParameter> equation_parameter(std::string_view name) const;
  double force() const { return variables_[0].force; }

 private:
  // Mutable: the free potential is added when components() is first called without a potential, and removed when one is
  // added later. Its plugin need not be loaded before that call.
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
  std::vector<std::string> formulas_;                        // all texts that may contain parameters
  Interpretation interpretation_ = Interpretation::stratonovich;
};

/// Numbers of a variable at a point.
struct VariableValues {
  static constexpr int unfolded = -1;
  bool inertial = false;
  /// Without inertia: mass 0, gamma 1. gamma 0: no friction, or a formula, which is among the forces.
  double force = 0, mass = 0, gamma = 1;
  double constant_force = 0;  ///< `force` and the constant terms of formulas
  double period = 0;          ///< of its potential, or given; 0 for none
  /// The index of the variable with whose whole periods its own are taken off: itself, or another with which it is
  /// shifted; `unfolded` if forces change when it is shifted.
  int folds_with = unfolded;
  /// Whether it is unfolded only for formulas that are observed, or of events: forces would not change.
  bool unfolded_for_formulas = false;
  double length() const { return period > 0 ? period : 1; }  ///< its unit in kernels
  double inertia() const { return inertial ? mass : 1; }     ///< force over what it changes: acceleration, or velocity
};

/// Rows of numbers in one block of memory: a sweep has such at each of very many points.
class Rows {
 public:
  Rows() = default;
  /// Room for so many rows, and for the numbers of all.
  Rows(size_t rows, size_t numbers) : rows_(static_cast<uint32_t>(rows)) {
    numbers_.reserve(rows + numbers);
    numbers_.resize(rows);
  }
  void add(std::span<const double> row) {
    numbers_.insert(numbers_.end(), row.begin(), row.end());
    numbers_[size_++] = static_cast<double>(numbers_.size());
  }
  size_t size() const { return size_; }
  std::span<const double> operator[](size_t row) const { return {numbers_.data() + begin(row), count(row)}; }
  std::span<double> operator[](size_t row) { return {numbers_.data() + begin(row), count(row)}; }
  std::span<const double> front() const { return (*this)[0]; }
  /// The numbers of all rows, one row after the other.
  std::span<const double> all() const { return std::span(numbers_).subspan(rows_); }
  size_t bytes() const { return numbers_.capacity() * sizeof(double); }

 private:
  size_t begin(size_t row) const { return row == 0 ? rows_ : static_cast<size_t>(numbers_[row - 1]); }
  size_t count(size_t row) const { return static_cast<size_t>(numbers_[row]) - begin(row); }
  std::vector<double> numbers_;  // first where each row ends
  uint32_t rows_ = 0, size_ = 0;
};

/// A model at one point of a sweep: the values of all its components.
struct ModelValues {
  Rows values;                                         ///< by component, by slot
  Shared<std::vector<std::vector<double>>> arrays_of;  ///< by component, by array; empty if no component has any
  std::vector<VariableValues> variables;
  /// By event: mask of the folded variables whose whole periods stay where the event sets them.
  std::vector<uint32_t> keeps_periods;
  double time_scale = 0;  ///< the smallest of all components; INFINITY for none
  /// Whether forces are continuous: potentials say so, and no kink was found.
  bool smooth = true;
  std::string jumps{};  ///< a component whose forces or amplitude may jump where the state changes; "" if none may
  std::shared_ptr<const Continuity> continuity;  ///< of the only potential; never null after evaluate(); not of systems
  /// The only variable. Throws Error if there are several.
  const VariableValues& only() const;
  const std::vector<std::vector<double>>& arrays(size_t component) const;
};
/// States have positions, then velocities of the variables with inertia. The index of the velocity of such a variable:
inline size_t place_of_velocity(const ModelValues& values, size_t variable) {
  size_t place = values.variables.size();
  for (size_t i = 0; i < variable; ++i) place += values.variables[i].inertial ? 1 : 0;
  return place;
}

/// Number of coordinates of a state.
inline size_t state_size(const ModelValues& values) { return place_of_velocity(values, values.variables.size()); }

/// The coordinate that a force on a variable changes: its velocity, if it has inertia, or its position.
inline size_t place_of_force(const ModelValues& values, size_t variable) {
  return values.variables[variable].inertial ? place_of_velocity(values, variable) : variable;
}

/// All forces that depend on the state, at positions x, velocities v of the variables with inertia, followed by mean
/// fields, and time t; not friction.
void add_forces(const Model& model, const ModelValues& values, const double* x, const double* v, double t, double* f);

/// Velocities of the variables with inertia, followed by mean fields, as functions of the state take them.
typedef std::array<double, most_variables + most_fields> VelocitiesAndFields;
/// Velocities v of a path, and the mean fields of paths that are all at positions x, with velocities v_of_paths.
VelocitiesAndFields with_fields(const Model& model, const ModelValues& values, const double* v, const double* x,
                                const double* v_of_paths);

/// All forces that depend on the state, at many states. Model and values must outlive it.
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

/// Throws Error if all formulas of a model together have too many operations to be compiled in reasonable time.
void check_operations(const Model& model);

/// Throws Error unless the plugin is a drive, or a noise that may modulate potentials.
void check_modulates(const Plugin& plugin);
/// Evaluates the model with the parameters that it was given. Throws Error for values that are out of bounds, and for a
/// potential that jumps; see check_continuity().
ModelValues evaluate(const Model& model);
/// Throws Error if the potential is not finite at a place that particles reach from starts x in [from, to].
void check_reached(const Model& model, const ModelValues& values, double from, double to);
/// The value of "poisson.D" at points; for a choice the index of its word. Also knows "force" and the other
/// equation_parameters(). Throws Error for an unknown name.
std::function<double(const ModelValues&)> value_named(const Model& model, std::string_view name);
double value_of(const Model& model, const ModelValues& values, std::string_view name);

}  // namespace bmsim
