// A model's components and parameters by name, and their values at one point.
#include "model/model.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"
#include "formula/parse.h"
#include "model/events.h"
#include "model/jumping_noise.h"
#include "model/reserved_names.h"
#include "model/system.h"
#include "model/walls.h"
#include "nearest_name.h"

namespace bmsim {
namespace {

constexpr std::string_view free_potential = "free";

/// Equations, potentials, amplitudes, events, walls and fields, noises, drives: the order of a model's components.
int rank(const Component& component) {
  const uint32_t kind = (*component.plugin)->kind;
  if (kind == BM_POTENTIAL) return component.name.empty() ? -1 : 0;
  return kind == amplitude_kind                                          ? 1
         : kind == event_kind || kind == wall_kind || kind == field_kind ? 2
         : kind == BM_NOISE                                              ? 3
         : kind == BM_DRIVE                                              ? 4
                                                                         : 5;
}
constexpr int no_potential = 1;  // least rank of what is no potential

/// Whether columns or sweep axes use a name already.
bool is_reserved(std::string_view name) {
  return name == "force" || name == "mass" || name == "gamma" || reserved::has(reserved::options, name);
}

const Component* find_component(const std::vector<Component>& components, std::string_view name) {
  const auto found = std::ranges::find(components, name, &Component::name);
  return found == components.end() ? nullptr : &*found;
}

bool has_parameter(const Plugin& plugin, std::string_view name) {
  return std::ranges::any_of(plugin.parameters(),
                             [&](const bm_parameter& parameter) { return parameter.name == name; });
}

[[noreturn]] void fail_unknown(const Model& model, std::string_view name) {
  fail("unknown parameter '{}'{}", name, suggestion(name, model.parameter_names()));
}

/// The parts of "poisson.D". Names of parameters of a system's equations have no dot.
struct Place {
  size_t component;
  std::string_view parameter;
};

Place find_place(const Model& model, std::string_view name) {
  const auto dot = name.rfind('.');
  const std::vector<Component>& components = model.components();
  const bool of_equations = dot == name.npos && model.is_system() && !components.empty() && rank(components[0]) < 0;
  const Component* component = of_equations       ? &components[0]
                               : dot == name.npos ? nullptr
                                                  : find_component(components, name.substr(0, dot));
  if (!component) fail_unknown(model, name);
  const std::string_view parameter = of_equations ? name : name.substr(dot + 1);
  if (of_equations && !has_parameter(*component->plugin, parameter)) fail_unknown(model, name);
  return {static_cast<size_t>(component - components.data()), parameter};
}

}  // namespace

std::string subject_of(const Component& component) {
  const std::string name = component.plugin->full_name();
  return component.name == (*component.plugin)->id ? name : fmt::format("{} '{}'", name, component.name);
}

std::string full_name(const Component& component, std::string_view parameter) {
  return component.name.empty() ? std::string(parameter) : fmt::format("{}.{}", component.name, parameter);
}

const std::vector<Component>& Model::components() const {
  if (system_) return components_;
  if (components_.empty() || rank(components_[0]) >= no_potential) {
    const Plugin& free = Registry::instance().find(BM_POTENTIAL, free_potential);
    components_.insert(components_.begin(), {&free, std::string(free_potential)});
    implicit_potential_ = true;
  }
  return components_;
}

Component& Model::add(uint32_t kind, std::string_view id, std::string_view name, std::string_view variable) {
  return add(Registry::instance().find(kind, id), name, variable);
}

Component& Model::add(const Plugin& plugin, std::string_view name, std::string_view variable) {
  const uint32_t kind = plugin->kind;
  if (plugin.has(BM_SEVERAL) && plugin.state_functions() == nullptr)
    fail("{}: it is a potential of {} variables of bm.system, which of = {{ ... }} names", plugin.full_name(),
         plugin->variable_count);
  Component added{&plugin, name.empty() ? plugin->id : std::string(name)};
  added.variable = variable.empty() ? 0 : this->variable(variable);
  if (!formula::is_name(added.name))
    fail("{}: its name must be an identifier (letters, digits, '_'), got '{}'", plugin.full_name(), added.name);
  if (is_reserved(added.name) || (added.name == free_potential && kind != BM_POTENTIAL))
    fail("{}: its name must not be '{}', which has a meaning of its own", plugin.full_name(), added.name);

  if (std::ranges::count(parameters_, added.name))
    fail("{}: its name must not be that of a parameter of the system, got '{}': give name =", plugin.full_name(),
         added.name);

  if (implicit_potential_ && kind == BM_POTENTIAL) {
    components_.erase(components_.begin());
    implicit_potential_ = false;
  }
  if (!system_ && kind == BM_POTENTIAL && !components_.empty() && rank(components_[0]) < no_potential)
    fail("{}: a model must have one potential, and has '{}'", plugin.full_name(), components_[0].name);
  if (const Component* other = find_component(components_, added.name))
    fail("{}: its name must be unique in the model, got '{}', that of a {}: give name =", plugin.full_name(),
         added.name, other->plugin->full_name());
  return insert(std::move(added));
}

Component& Model::insert(Component added) {
  const auto after = [](const Component& a, const Component& b) { return rank(a) < rank(b); };
  const auto place = std::upper_bound(components_.begin(), components_.end(), added, after);
  return *components_.insert(place, std::move(added));
}

bool Model::underdamped() const { return std::ranges::any_of(variables_, &ModelVariable::inertial); }

std::vector<std::string> Model::equation_parameters() const {
  std::vector<std::string> names;
  for (const ModelVariable& variable : variables_) {
    const std::string suffix = system_ ? "_" + variable.name : "";
    names.push_back("force" + suffix);
    if (variable.inertial) names.push_back("mass" + suffix);
    if (variable.inertial && variable.friction.empty()) names.push_back("gamma" + suffix);
  }
  return names;
}

std::optional<Model::EquationParameter> Model::equation_parameter(std::string_view name) const {
  for (size_t i = 0; i < variables_.size(); ++i)
    for (const std::string_view sort : {"force", "mass", "gamma"})
      if ((sort == "force" || variables_[i].inertial) && (sort != "gamma" || variables_[i].friction.empty()) &&
          name.starts_with(sort) && name.substr(sort.size()) == (system_ ? "_" + variables_[i].name : ""))
        return EquationParameter{sort, i};
  return {};
}

double* Model::number_of(const EquationParameter& parameter) {
  ModelVariable& variable = variables_[parameter.variable];
  return parameter.sort == "force" ? &variable.force : parameter.sort == "mass" ? &variable.mass : &variable.gamma;
}

void Model::set(std::string_view parameter, double value) {
  if (const auto equation = equation_parameter(parameter)) {
    if (!std::isfinite(value)) fail("{} must be finite, got {}", parameter, value);
    if (equation->sort == "mass" && value <= 0)
      fail("{} must be > 0, got {}; without inertia a model is overdamped", parameter, value);
    if (equation->sort == "gamma" && value < 0) fail("{} must be >= 0, got {}", parameter, value);
    *number_of(*equation) = value;
    return;
  }
  const Place place = find_place(*this, parameter);
  Component& component = components_[place.component];
  check_value(component.name, find_parameter(*component.plugin, place.parameter), value);
  component.given[std::string(place.parameter)] = value;
}

void Model::set_list(std::string_view parameter, std::span<const double> numbers) {
  const Place place = find_place(*this, parameter);
  Component& component = components_[place.component];
  check_list(component.name, find_list(*component.plugin, place.parameter), numbers);
  component.lists[std::string(place.parameter)].assign(numbers.begin(), numbers.end());
}

void Model::set_choice(std::string_view parameter, std::string_view word) {
  const Place place = find_place(*this, parameter);
  Component& component = components_[place.component];
  component.given[std::string(place.parameter)] =
      choice_value(*component.plugin, place.parameter, word, component.name);
}

void Model::modulate(std::string_view component) {
  const Component* found = find_component(components(), component);
  if (!found) {
    std::vector<std::string> known;
    for (const Component& other : components_) known.push_back(other.name);
    fail("unknown component '{}'; known: {}", component, fmt::join(known, ", "));
  }
  check_modulates(*found->plugin);
  for (const Component& other : components_)
    if (other.modulates && other.variable != found->variable)
      fail("{}: modulate: only potentials of one variable can be modulated, and {} modulates those of {}, not of {}",
           subject_of(*found), subject_of(other), variables_[other.variable].name, variables_[found->variable].name);
  components_[static_cast<size_t>(found - components_.data())].modulates = true;
}

void Model::check_sweepable(std::string_view parameter) const {
  if (equation_parameter(parameter)) return;
  const Place place = find_place(*this, parameter);
  const Plugin& plugin = *components_[place.component].plugin;
  if (list_named(plugin, place.parameter)) fail("{} cannot be swept: it is a list of numbers", parameter);
  const bm_parameter& found = find_parameter(plugin, place.parameter);
  if (found.choices) fail("{} cannot be swept: it is {}", parameter, bounds_text(found));
}

std::vector<std::string> Model::parameter_names() const {
  std::vector<std::string> names;
  for (const Component& component : components())
    for (const bm_parameter& parameter : component.plugin->parameters())
      names.push_back(full_name(component, parameter.name));
  for (std::string& name : equation_parameters()) names.push_back(std::move(name));
  return names;
}

std::vector<std::string> Model::number_names() const {
  std::vector<std::string> names = equation_parameters();
  for (const Component& component : components())
    for (const bm_parameter& parameter : component.plugin->parameters())
      if (parameter.choices == nullptr) names.push_back(full_name(component, parameter.name));
  return names;
}

const Component& Model::potential() const {
  if (system_) fail("system: its potential was asked for, of which it may have several");
  return components().front();
}
bool Model::is_free() const { return !system_ && (*potential().plugin)->id == free_potential; }

void check_modulates(const Plugin& plugin) {
  if (plugin->kind != BM_DRIVE && !(plugin->kind == BM_NOISE && plugin.has(BM_MODULATES)))
    fail("{}: cannot modulate the potential: only a drive can, or a noise that is a force without jumps",
         plugin.full_name());
}

void check_operations(const Model& model) {
  size_t operations = 0;
  for (const Component& component : model.components()) operations += component.plugin->operations();
  formula::check_operations(operations, "model: all formulas together", formula::most_together);
}

const std::vector<std::vector<double>>& ModelValues::arrays(size_t component) const {
  static const std::vector<std::vector<double>> none;
  return arrays_of.empty() ? none : arrays_of[component];
}

const VariableValues& ModelValues::only() const {
  if (variables.size() != 1) fail("model: one variable was asked for, of {}", variables.size());
  return variables[0];
}

ModelValues evaluate(const Model& model) {
  ModelValues result;
  result.time_scale = std::numeric_limits<double>::infinity();
  size_t numbers = 0;
  for (const Component& component : model.components()) numbers += (*component.plugin)->value_count;
  result.values = Rows(model.components().size(), numbers);
  std::vector<std::vector<std::vector<double>>> arrays;
  for (const ModelVariable& variable : model.variables())
    result.variables.push_back({variable.inertial, variable.force, variable.inertial ? variable.mass : 0,
                                variable.inertial ? variable.gamma : 1, variable.force});
  for (const Component& component : model.components()) {
    const bool friction_varies = !model.variables()[component.variable].friction.empty();
    if (component.plugin->has(BM_SIGMA) && model.is_thermal(component) && model.amplitude_of(component) == nullptr)
      fail("{}: T must be given with the model, not in a sweep alone: gamma of {} is a formula", subject_of(component),
           model.variables()[component.variable].name);
    const VariableValues& acted_on = result.variables[component.variable];
    Resolved parameters = resolve(*component.plugin, component.given, component.lists,
                                  {friction_varies ? 1 : acted_on.gamma, acted_on.mass}, component.name);
    if ((*component.plugin)->kind != observed_kind)  // what is observed changes no step
      result.time_scale = std::min(result.time_scale, time_scale(*component.plugin, parameters.values, component.name));
    result.values.add(parameters.values);
    if (parameters.arrays.empty()) continue;
    arrays.resize(model.components().size());
    arrays[model.index_of(component)] = std::move(parameters.arrays);
  }
  result.arrays_of = std::move(arrays);
  if (model.is_system()) {
    if (model.components().empty() || rank(model.components()[0]) >= 0) fail("system: it has no equations");
    evaluate_system(model, result);
  } else {
    const Component& potential = model.potential();
    VariableValues& only = result.variables[0];
    only.period = period(*potential.plugin, result.values.front(), potential.name);
    only.folds_with = only.period > 0 ? 0 : VariableValues::unfolded;
    result.continuity =
        model.continuities().find(*potential.plugin, result.values.front(), result.arrays(0), only.period);
    if (!result.continuity->is_whole()) check_continuity(*result.continuity, only.period, subject_of(potential));
    result.smooth = potential.plugin->has(BM_SMOOTH) && result.continuity->kinks.empty();
    if (!result.smooth) result.jumps = potential.plugin->full_name();
    note_jumps(model, result);
    if (model.has_amplitude() || !model.events().empty() || !model.walls().empty() || model.observed() != nullptr)
      place_formulas(model, result);
    if (model.has_amplitude()) find_folds(model, result);
  }
  check_events(model, result);
  settle_walls(model, result);
  check_amplitudes(model, result);
  settle_events(model, result);
  settle_fields(model, result);
  settle_observed(model, result);
  return result;
}

void check_reached(const Model& model, const ModelValues& values, double from, double to) {
  if (values.continuity->is_whole()) return;
  const std::pair<double, double> walls = between_walls(model, values, 0);
  check_reached(*values.continuity, std::max(from, walls.first), std::min(to, walls.second), walls,
                subject_of(model.potential()));
}

PotentialFunctions potential_functions(const Model& model, const ModelValues& values) {
  struct Numbers {
    const Plugin& plugin;
    double length;
    std::vector<double> values;
    std::vector<std::vector<double>> arrays;
    std::vector<bm_numbers> spans = spans_of(arrays);
    double place(double x) const { return length > 0 ? x / length - std::floor(x / length + 0.5) : x; }
  };
  const std::span<const double> V = values.values.front();
  const auto numbers = std::make_shared<const Numbers>(
      Numbers{*model.potential().plugin, values.only().period, {V.begin(), V.end()}, values.arrays(0)});
  return {[numbers](double x) {
            return numbers->plugin.energy(numbers->place(x), numbers->values.data(), numbers->spans.data());
          },
          [numbers](double x) {
            return numbers->plugin.force(numbers->place(x), numbers->values.data(), numbers->spans.data());
          }};
}

std::function<double(const ModelValues&)> value_named(const Model& model, std::string_view name) {
  if (const auto equation = model.equation_parameter(name)) {
    const auto number = equation->sort == "force"  ? &VariableValues::force
                        : equation->sort == "mass" ? &VariableValues::mass
                                                   : &VariableValues::gamma;
    return [number, i = equation->variable](const ModelValues& values) { return values.variables[i].*number; };
  }
  const Place place = find_place(model, name);
  const Plugin& plugin = *model.components()[place.component].plugin;
  return [k = place.component, slot = find_parameter(plugin, place.parameter).slot](const ModelValues& values) {
    return values.values[k][slot];
  };
}

double value_of(const Model& model, const ModelValues& values, std::string_view name) {
  return value_named(model, name)(values);
}

}  // namespace bmsim
