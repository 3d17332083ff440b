#include "model/system.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "error.h"
#include "formula/parse.h"
#include "model/reserved_names.h"
#include "model/system_plugin.h"
#include "nearest_name.h"
#include "plugin/state_functions.h"

namespace bmsim {
namespace {

/// The period that component k says variable i has, 0 for none; nothing if it does not say.
std::optional<double> period_by(const Model& model, const ModelValues& values, size_t k, size_t i) {
  const Component& component = model.components()[k];
  if ((*component.plugin)->kind != BM_POTENTIAL) return {};
  if (const StateFunctions* forces = component.plugin->state_functions())
    return forces->period_of(i, values.values[k].data());
  if (component.variable != i) return {};
  return bmsim::period(*component.plugin, values.values[k], component.name);
}

double period_of_variable(const Model& model, const ModelValues& values, size_t i) {
  const Component& equations = model.components()[0];
  const std::string& name = model.variables()[i].name;
  double period = 0;
  const auto given = equations.plugin->state_functions()->period_of(i, values.values[0].data());
  if (given) {
    if (!(*given > 0 && std::isfinite(*given))) {
      const std::string value = fmt::format("{}", *given), &text = model.variables()[i].period;
      fail("system: period.{} must be > 0 and finite, got {}", name, text == value ? value : text + " = " + value);
    }
    period = *given;
  }
  bool known = given.has_value();
  for (size_t k = 1; k < model.components().size(); ++k) {
    const std::optional<double> own = period_by(model, values, k, i);
    if (!own) continue;
    if (known && std::abs(*own - period) > 1e-12 * period)
      fail(
          "system: {} has period {}, and {}, which acts on it, {}; write that as a formula of several variables, "
          "which has no period of its own",
          name, period > 0 ? fmt::format("{}", period) : "none", subject_of(model.components()[k]),
          *own > 0 ? fmt::format("{}", *own) : "none");
    period = *own;
    known = true;
  }
  return period;
}

constexpr std::array interpretations = {"ito", "stratonovich", "anti_ito"};

std::vector<const Component*> of_kind(const std::vector<Component>& components, uint32_t kind) {
  std::vector<const Component*> found;
  for (const Component& component : components)
    if ((*component.plugin)->kind == kind) found.push_back(&component);
  return found;
}

}  // namespace

void evaluate_system(const Model& model, ModelValues& result) {
  for (size_t i = 0; i < result.variables.size(); ++i)
    result.variables[i].period = period_of_variable(model, result, i);
  place_formulas(model, result);
  const auto& components = model.components();
  for (size_t k = 0; k < components.size(); ++k) {
    const Plugin& plugin = *components[k].plugin;
    if (plugin->kind != BM_POTENTIAL) continue;
    if (plugin.state_functions() != nullptr) {
      result.smooth = result.smooth && plugin.has(BM_SMOOTH);
      continue;
    }
    const double period = result.variables[components[k].variable].period;
    const auto continuity = model.continuities().find(plugin, result.values[k], result.arrays(k), period);
    if (!continuity->is_whole()) check_continuity(*continuity, period, subject_of(components[k]));
    const bool smooth = plugin.has(BM_SMOOTH) && continuity->kinks.empty();
    result.smooth = result.smooth && smooth;
    if (!smooth) result.jumps = subject_of(components[k]);
  }
  note_jumps(model, result);
  for (const Component& component : components)
    if (component.modulates && std::ranges::none_of(components, [&](const Component& other) {
          return (*other.plugin)->kind == BM_POTENTIAL && other.plugin->state_functions() == nullptr &&
                 other.variable == component.variable;
        }))
      fail("{}: modulate: {} has no potential of its own to modulate; of several variables none is",
           subject_of(component), model.variables()[component.variable].name);
  find_folds(model, result);
}

void note_jumps(const Model& model, ModelValues& values) {
  if (!values.jumps.empty()) return;
  for (const Component& component : model.components()) {
    const StateFunctions* functions = component.plugin->state_functions();
    const uint32_t kind = (*component.plugin)->kind;
    if (functions == nullptr || kind == observed_kind || kind == event_kind || !functions->jumps()) continue;
    values.jumps = kind == amplitude_kind   ? "the amplitude of " + subject_of(model.multiplied_by(component))
                   : component.name.empty() ? "an equation"
                                            : subject_of(component);
    return;
  }
}

void place_formulas(const Model& model, ModelValues& values) {
  std::vector<double> lengths, masses;
  for (VariableValues& variable : values.variables) {
    lengths.push_back(variable.length());
    masses.push_back(variable.mass);
    variable.constant_force = variable.force;
  }
  const auto& components = model.components();
  std::vector<std::pair<std::string, double>> shared;
  if (model.is_system())
    for (const bm_parameter& parameter : components[0].plugin->parameters())
      shared.emplace_back(parameter.name, values.values[0][parameter.slot]);
  for (size_t k = 0; k < components.size(); ++k) {
    const StateFunctions* formulas = components[k].plugin->state_functions();
    if (formulas == nullptr) continue;
    double intensity = 0;
    if (!components[k].multiplies.empty()) {
      const Component& noise = model.multiplied_by(components[k]);
      intensity = noise.plugin->intensity(values.values[model.index_of(noise)].data()).value_or(0);
    }
    std::vector<std::pair<std::string, double>> known = shared;
    if ((*components[k].plugin)->kind == observed_kind)
      for (const std::string& name : model.number_names()) known.emplace_back(name, value_of(model, values, name));
    const SystemNumbers numbers{lengths, masses, intensity, known};
    formulas->place(numbers, values.values[k].data());
    values.time_scale =
        std::min(values.time_scale, time_scale(*components[k].plugin, values.values[k], components[k].name));
    if ((*components[k].plugin)->kind != BM_POTENTIAL) continue;
    for (size_t i = 0; i < values.variables.size(); ++i)
      values.variables[i].constant_force += formulas->constant_force(i, numbers, values.values[k].data());
  }
}

Forces::Forces(const Model& model, const ModelValues& values) : values_(values) {
  const auto& components = model.components();
  for (size_t k = 0; k < components.size(); ++k) {
    const Plugin& plugin = *components[k].plugin;
    if (plugin->kind != BM_POTENTIAL) break;
    parts_.push_back({plugin, plugin.state_functions(), values.values[k].data(), spans_of(values.arrays(k)),
                      components[k].variable});
  }
}

void Forces::add(const double* x, const double* v, double t, double* f) const {
  for (const Part& part : parts_) {
    if (part.functions != nullptr) {
      part.functions->add_forces(x, v, t, part.values, part.arrays.data(), f);
      continue;
    }
    const size_t i = part.variable;
    f[i] += part.plugin.force_at(x[i] / values_.variables[i].length(), t, part.values, part.arrays.data());
  }
}

bool Forces::depends(size_t variable, size_t number) const {
  return std::ranges::any_of(parts_, [&](const Part& part) {
    if (part.functions == nullptr) return part.variable == variable && number == variable;
    return variable < part.functions->count() && (part.functions->acts_on() >> variable & 1) &&
           part.functions->depends(variable, number);
  });
}

void add_forces(const Model& model, const ModelValues& values, const double* x, const double* v, double t, double* f) {
  Forces(model, values).add(x, v, t, f);
}

VelocitiesAndFields with_fields(const Model& model, const ModelValues& values, const double* v, const double* x,
                                const double* v_of_paths) {
  VelocitiesAndFields result{};
  const auto velocities = std::ranges::count_if(values.variables, &VariableValues::inertial);
  std::copy_n(v, velocities, result.begin());
  for (size_t k = 0; k < model.components().size(); ++k)
    if ((*model.components()[k].plugin)->kind == field_kind)
      model.components()[k].plugin->state_functions()->add_forces(x, v_of_paths, 0, values.values[k].data(), nullptr,
                                                                  result.data() + velocities);
  return result;
}

// ---- Model ----

void Model::make_system(std::vector<ModelVariable> variables, std::vector<std::string> parameters,
                        std::map<std::string, std::string> definitions) {
  if (variables.empty() || variables.size() > most_variables)
    fail("system: it must have 1 to {} variables, got {}", most_variables, variables.size());
  for (size_t i = 0; i < variables.size(); ++i) {
    const std::string& name = variables[i].name;
    if (!formula::is_name(name))
      fail("system: a variable's name must be letters, digits and '_', no digit first, got '{}'", name);
    if (name == "t" || name == "pi" || name.starts_with("v_"))
      fail("system: a variable must not be called t, pi or v_..., got '{}'", name);
    if (name.ends_with("_err"))
      fail("system: a variable's name must not end in _err, as those of standard errors do, got '{}'", name);
    for (size_t k = 0; k < i; ++k)
      if (variables[k].name == name) fail("system: variable '{}' is there twice", name);
  }
  variables_ = std::move(variables);
  parameters_ = std::move(parameters);
  definitions_ = std::move(definitions);
  system_ = true;
  for (const ModelVariable& variable : variables_) formulas_.push_back(variable.period);
  for (const auto& [name, text] : definitions_) formulas_.push_back(text);
  const formula::SystemParser parser(names_for({}), "system");  // checks the names
  for (const std::string& name : parameters_)
    if (reserved::is_always(name) || equation_parameter(name))
      fail("system: parameters.{}: it must have another name: '{}' has a meaning of its own; '{}' would do", name, name,
           reserved::other_name(name, parameters_));
}

formula::SystemNames Model::names_for(const std::vector<std::string>& own) const {
  std::vector<std::string> fields;
  for (const auto& [name, formula] : fields_) fields.push_back(name);
  return {system_variables(), own, parameters_, definitions_, {}, std::move(fields)};
}

/// Throws Error if a parameter is in no formula. Definitions need not be in one: they may serve observables.
void Model::check_all_used() const {
  const auto occurs = [&](const std::string& name) {
    return std::ranges::any_of(
        formulas_, [&](const std::string& text) { return std::ranges::count(formula::names_in(text), name) > 0; });
  };
  for (const std::string& name : parameters_)
    if (!occurs(name)) fail("system: parameter '{}' must occur in a formula", name);
}

size_t Model::variable(std::string_view name) const {
  std::vector<std::string> known;
  for (size_t i = 0; i < variables_.size(); ++i) {
    if (variables_[i].name == name) return i;
    known.push_back(variables_[i].name);
  }
  fail("{}: unknown variable '{}'{}", system_ ? "system" : "model", name, suggestion(name, known));
}

/// What formulas know about the variables. Lengths are known here if no parameter can change them.
std::vector<formula::SystemVariable> Model::system_variables() const {
  std::vector<formula::SystemVariable> result;
  for (size_t i = 0; i < variables_.size(); ++i) {
    const ModelVariable& variable = variables_[i];
    std::optional<formula::Expression> length = formula::Expression(1);
    for (const Component& component : components_)
      if ((*component.plugin)->kind == BM_POTENTIAL && component.plugin->periodic_possible() &&
          (component.plugin->state_functions() == nullptr ? component.variable == i
                                                          : component.plugin->state_functions()->acts_on() >> i & 1))
        length.reset();
    if (!variable.period.empty()) length = literal_length(variable.period);
    result.push_back({variable.name, !variable.inertial ? "" : system_ ? "v_" + variable.name : "v", length});
  }
  return result;
}

Component& Model::add_joint(const Plugin& plugin, std::span<const std::string> variables, std::string_view name) {
  if (!plugin.has(BM_SEVERAL)) fail("{}: of: it is a potential of one variable", plugin.full_name());
  if (!system_)
    fail("{}: it is a potential of {} variables, for bm.system", plugin.full_name(), plugin->variable_count);
  if (variables.size() != plugin->variable_count)
    fail("{}: of must name {} variables, got {}", plugin.full_name(), plugin->variable_count, variables.size());
  std::vector<size_t> indices;
  for (const std::string& variable_name : variables) {
    indices.push_back(variable(variable_name));
    if (std::ranges::count(indices, indices.back()) > 1)
      fail("{}: of: '{}' is there twice", plugin.full_name(), variable_name);
  }
  return add(joint_potential(plugin, indices), name);
}

Component& Model::add_energy(const std::string& formula, std::span<const std::string> parameters,
                             std::string_view name) {
  formulas_.push_back(formula);
  return add(energy_plugin(names_for({parameters.begin(), parameters.end()}), formula), name);
}

void Model::set_equations(const std::vector<std::string>& equations) {
  EquationsText texts{equations, {}, {}};
  for (const ModelVariable& variable : variables_) {
    texts.periods.push_back(variable.period);
    texts.frictions.push_back(variable.friction);
    formulas_.push_back(variable.friction);
  }
  formula::SystemNames names = names_for(parameters_);
  names.shared.clear();  // they are parameters of the equations
  formulas_.insert(formulas_.end(), equations.begin(), equations.end());
  insert({&equations_plugin(names, texts), ""});
  check_all_used();
}

void Model::set_friction(std::string_view variable, const std::string& formula) {
  ModelVariable& damped = variables_[this->variable(variable)];
  if (!system_) fail("gamma must be a number in a model that is no system, got '{}'", formula);
  if (!damped.inertial) fail("system: inertia.{}: it must have inertia to have friction", damped.name);
  damped.friction = formula;
  damped.gamma = 0;
}

void Model::add_amplitude(std::string_view noise, const std::vector<std::string>& formulas,
                          const std::vector<std::string>& parameters) {
  components();  // with the free potential, if there is no other
  const auto found = std::ranges::find(components_, noise, &Component::name);
  if (found == components_.end()) fail("amplitude: there is no noise '{}'", noise);
  if (found->plugin->has(BM_INCREMENT))
    fail("{}: amplitude: its jumps come many in a step, of which an amplitude must know each", subject_of(*found));
  if (found->modulates) fail("{}: amplitude: it modulates the potential, and is no force", subject_of(*found));
  formulas_.insert(formulas_.end(), formulas.begin(), formulas.end());
  const bool white = found->plugin->has(BM_SIGMA);
  Component added{&amplitude_plugin(names_for(parameters), formulas, white), std::string(noise) + ".amplitude"};
  added.variable = found->variable;
  added.multiplies = noise;
  insert(std::move(added));
}

bool Model::has_amplitude() const {
  return std::ranges::any_of(components_, [](const Component& component) { return !component.multiplies.empty(); });
}
bool Model::has_white_amplitude() const {
  return std::ranges::any_of(components_, [&](const Component& component) {
    return !component.multiplies.empty() && multiplied_by(component).plugin->has(BM_SIGMA);
  });
}

const Component* Model::amplitude_of(const Component& noise) const {
  const auto found = std::ranges::find(components_, noise.name, &Component::multiplies);
  return found == components_.end() || noise.name.empty() ? nullptr : &*found;
}

const Component& Model::multiplied_by(const Component& amplitude) const {
  return *std::ranges::find(components_, amplitude.multiplies, &Component::name);
}

std::string_view interpretation_name(Interpretation interpretation) {
  return interpretations[static_cast<size_t>(interpretation)];
}

void Model::set_interpretation(std::string_view name) {
  const std::vector<std::string> known(interpretations.begin(), interpretations.end());
  const auto found = std::ranges::find(known, name);
  if (found == known.end())
    fail("{}: unknown interpretation '{}'{}", system_ ? "system" : "model", name, suggestion(name, known));
  interpretation_ = static_cast<Interpretation>(found - known.begin());
}

bool Model::is_thermal(const Component& noise) const {
  return !variables_[noise.variable].friction.empty() && noise.given.contains("T");
}

double Model::part_of_drift(const Component& noise) const {
  if (is_thermal(noise)) return 1;
  return interpretation_ == Interpretation::ito ? 0 : interpretation_ == Interpretation::stratonovich ? 0.5 : 1;
}

Component& Model::add_event(const EventText& text, const std::vector<std::string>& parameters) {
  components();  // with the free potential, if there is no other
  formulas_.push_back(text.formula);
  for (const auto& [target, formula] : text.set) formulas_.push_back(formula);
  if (!formula::is_name(text.name))
    fail("events: the name of an event must be letters, digits and '_', no digit first, got '{}'", text.name);
  return add(event_plugin(names_for(parameters), text), text.name);
}

Component& Model::add_walls(const WallText& text, const std::vector<std::string>& parameters) {
  components();  // with the free potential, if there is no other
  formulas_.insert(formulas_.end(), {text.from, text.to, text.length});
  if (const Component* other = absorbing(); other != nullptr && text.absorbs)
    fail(
        "walls.{}: paths can end at walls of one variable, and do so of {}; exits by a formula are "
        "observe.first_passage {{ of = ... }}",
        text.variable, variables_[other->variable].name);
  const std::string name = text.absorbs ? "exit" : text.length.empty() ? "wall" : "sticky";
  const std::string word = text.absorbs ? "absorb" : text.length.empty() ? "reflect" : "sticky";
  for (const Component* other : walls())
    if ((*other->plugin)->id == word && variables_[other->variable].name == text.variable)
      fail("walls.{}: \"{}\" is there twice; give from and to in one entry", text.variable, word);
  return add(wall_plugin(names_for(parameters), text), system_ ? name + "_" + text.variable : name, text.variable);
}

void Model::add_fields(const std::vector<std::pair<std::string, std::string>>& fields) {
  if (!system_) fail("fields: they are of systems, whose formulas know them; bm.system may have one variable");
  if (fields.size() > most_fields) fail("system: at most {} fields, got {}", most_fields, fields.size());
  fields_ = fields;
  for (const auto& [name, text] : fields) formulas_.push_back(text);
  formula::SystemNames names = names_for({});
  const formula::SystemParser parser(names, "system");  // checks the names
  for (const auto& [name, text] : fields)
    if (name.starts_with("v_")) fail("system: fields.{}: a field must not be called v_...", name);
  names.fields.clear();
  insert({&fields_plugin(names, fields), "fields"});
}

std::vector<const Component*> Model::events() const { return of_kind(components_, event_kind); }
std::vector<const Component*> Model::walls() const { return of_kind(components_, wall_kind); }
bool Model::has_sticky_walls() const {
  return std::ranges::any_of(
      walls(), [](const Component* component) { return component->plugin->state_functions()->wall()->holds; });
}
const Component* Model::absorbing() const {
  for (const Component* component : walls())
    if (component->plugin->state_functions()->wall()->absorbs) return component;
  return nullptr;
}

void Model::add_observed(const std::vector<ObservedFormula>& formulas) {
  components();  // with the free potential, if there is no other
  if (formulas.size() > most_observed)
    fail("observe: at most {} formulas can be followed at every step, got {}", most_observed, formulas.size());
  formula::SystemNames names = names_for({});
  names.full = number_names();
  insert({&observed_plugin(names, formulas), "observed"});
}

const Component* Model::observed() const {
  return !components_.empty() && (*components_.back().plugin)->kind == observed_kind ? &components_.back() : nullptr;
}

}  // namespace bmsim
