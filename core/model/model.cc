// A model's components and parameters by name, and their values at one point.
#include "model/model.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>
#include <utility>

#include "error.h"
#include "nearest_name.h"

namespace bmsim {
namespace {

constexpr std::string_view free_potential = "free";

/// Potentials, noises, drives: the order of a model's components.
int rank(const Component& component) {
  const uint32_t kind = (*component.plugin)->kind;
  return kind == BM_POTENTIAL ? 0 : kind == BM_NOISE ? 1 : 2;
}

bool is_identifier(std::string_view name) {
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) return false;
  return std::all_of(name.begin(), name.end(),
                     [](char c) { return std::isalnum(static_cast<unsigned char>(c)) || c == '_'; });
}

/// "potential.formula", or "potential.formula 'well'" if it has a name of its own.
std::string subject_of(const Component& component) {
  const std::string name = component.plugin->full_name();
  return component.name == (*component.plugin)->id ? name : fmt::format("{} '{}'", name, component.name);
}

/// Names that columns and sweep axes use already.
bool is_reserved(std::string_view name) {
  constexpr std::array<std::string_view, 7> reserved = {"force", "dt", "spp", "time", "periods", "mass", "gamma"};
  return std::find(reserved.begin(), reserved.end(), name) != reserved.end();
}

const Component* find_component(const std::vector<Component>& components, std::string_view name) {
  const auto found =
      std::find_if(components.begin(), components.end(), [&](const Component& one) { return one.name == name; });
  return found == components.end() ? nullptr : &*found;
}

[[noreturn]] void fail_unknown(const Model& model, std::string_view name) {
  const std::vector<std::string> known = model.parameter_names();
  fail("unknown parameter '{}'{}", name, suggestion(name, known));
}

/// The parts of "poisson.D": the index of the component, and the name of the parameter.
struct Place {
  size_t component;
  std::string_view parameter;
};

Place find_place(const Model& model, std::string_view name) {
  const auto dot = name.find('.');
  const std::vector<Component>& components = model.components();
  const Component* component = dot == name.npos ? nullptr : find_component(components, name.substr(0, dot));
  if (!component) fail_unknown(model, name);
  return {static_cast<size_t>(component - components.data()), name.substr(dot + 1)};
}

}  // namespace

const std::vector<Component>& Model::components() const {
  if (components_.empty() || rank(components_[0]) != 0) {
    const Plugin& free = Registry::instance().find(BM_POTENTIAL, free_potential);
    components_.insert(components_.begin(), {&free, std::string(free_potential)});
    implicit_potential_ = true;
  }
  return components_;
}

Component& Model::add(uint32_t kind, std::string_view id, std::string_view name) {
  return add(Registry::instance().find(kind, id), name);
}

Component& Model::add(const Plugin& plugin, std::string_view name) {
  const uint32_t kind = plugin->kind;
  Component added{&plugin, name.empty() ? plugin->id : std::string(name)};
  if (!is_identifier(added.name))
    fail("{}: its name must be an identifier (letters, digits, '_'), got '{}'", plugin.full_name(), added.name);
  if (is_reserved(added.name) || (added.name == free_potential && kind != BM_POTENTIAL))
    fail("{}: its name must not be '{}', which has a meaning of its own", plugin.full_name(), added.name);

  if (implicit_potential_ && kind == BM_POTENTIAL) {
    components_.erase(components_.begin());
    implicit_potential_ = false;
  }
  if (kind == BM_POTENTIAL && !components_.empty() && rank(components_[0]) == 0)
    fail("{}: a model must have one potential, and has '{}'", plugin.full_name(), components_[0].name);
  if (const Component* other = find_component(components_, added.name))
    fail("{}: its name must be unique in the model, got '{}', that of a {}: give name =", plugin.full_name(),
         added.name, other->plugin->full_name());
  const auto after = [](const Component& a, const Component& b) { return rank(a) < rank(b); };
  const auto place = std::upper_bound(components_.begin(), components_.end(), added, after);
  return *components_.insert(place, std::move(added));
}

std::vector<std::string> Model::equation_parameters() const {
  if (underdamped_) return {"force", "mass", "gamma"};
  return {"force"};
}

double* Model::equation_parameter(std::string_view name) {
  if (name == "force") return &force_;
  if (underdamped_ && name == "mass") return &mass_;
  if (underdamped_ && name == "gamma") return &gamma_;
  return nullptr;
}

void Model::set(std::string_view parameter, double value) {
  if (double* number = equation_parameter(parameter)) {
    if (!std::isfinite(value)) fail("{} must be finite, got {}", parameter, value);
    if (parameter == "mass" && value <= 0)
      fail("mass must be > 0, got {}; without inertia a model is overdamped", value);
    if (parameter == "gamma" && value < 0) fail("gamma must be >= 0, got {}", value);
    *number = value;
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
  const double index = choice_value(*component.plugin, place.parameter, word, component.name);
  component.given[std::string(place.parameter)] = index;
}

void Model::modulate(std::string_view component) {
  const Component* found = find_component(components(), component);
  if (!found) {
    std::vector<std::string> known;
    for (const Component& one : components_) known.push_back(one.name);
    fail("unknown component '{}'; known: {}", component, fmt::join(known, ", "));
  }
  check_modulates(*found->plugin);
  components_[static_cast<size_t>(found - components_.data())].modulates = true;
}

void Model::check_sweepable(std::string_view parameter) const {
  const std::vector<std::string> of_equation = equation_parameters();
  if (std::find(of_equation.begin(), of_equation.end(), parameter) != of_equation.end()) return;
  const Place place = find_place(*this, parameter);
  const Plugin& plugin = *components_[place.component].plugin;
  if (list_named(plugin, place.parameter)) fail("{} cannot be swept: it is a list of numbers", parameter);
  const bm_parameter& found = find_parameter(plugin, place.parameter);
  if (found.choices) fail("{} cannot be swept: it is {}", parameter, bounds_text(found));
}

std::vector<std::string> Model::parameter_names() const {
  std::vector<std::string> names;
  for (const Component& component : components()) {
    const bm_plugin& descriptor = **component.plugin;
    for (const bm_parameter& parameter : std::span(descriptor.parameters, descriptor.parameter_count))
      names.push_back(component.name + '.' + parameter.name);
  }
  for (std::string& name : equation_parameters()) names.push_back(std::move(name));
  return names;
}

const Component& Model::potential() const { return components().front(); }
bool Model::is_free() const { return (*potential().plugin)->id == free_potential; }

void check_modulates(const Plugin& plugin) {
  if (plugin->kind != BM_DRIVE && !(plugin->kind == BM_NOISE && plugin.has(BM_MODULATES)))
    fail("{}: cannot modulate the potential: only a drive can, or a noise that is a force without jumps",
         plugin.full_name());
}

ModelValues evaluate(const Model& model) {
  ModelValues result;
  result.force = model.force();
  result.underdamped = model.underdamped();
  result.mass = model.mass();
  result.gamma = model.gamma();
  result.time_scale = std::numeric_limits<double>::infinity();
  for (const Component& component : model.components()) {
    Resolved parameters =
        resolve(*component.plugin, component.given, component.lists, {model.gamma(), model.mass()}, component.name);
    result.time_scale = std::min(result.time_scale, time_scale(*component.plugin, parameters.values, component.name));
    result.values.push_back(std::move(parameters.values));
    result.arrays.push_back(std::move(parameters.arrays));
  }
  const Component& potential = model.potential();
  result.period = period(*potential.plugin, result.values.front(), potential.name);
  result.continuity =
      model.continuities().find(*potential.plugin, result.values.front(), result.arrays.front(), result.period);
  check_continuity(*result.continuity, result.period, subject_of(potential));
  result.smooth = potential.plugin->has(BM_SMOOTH) && result.continuity->kinks.empty();
  return result;
}

void check_reached(const Model& model, const ModelValues& values, double from, double to) {
  check_reached(*values.continuity, from, to, subject_of(model.potential()));
}

double value_of(const Model& model, const ModelValues& values, std::string_view name) {
  if (name == "force") return values.force;
  if (values.underdamped && name == "mass") return values.mass;
  if (values.underdamped && name == "gamma") return values.gamma;
  const Place place = find_place(model, name);
  const Plugin& plugin = *model.components()[place.component].plugin;
  return values.values[place.component][find_parameter(plugin, place.parameter).slot];
}

}  // namespace bmsim
