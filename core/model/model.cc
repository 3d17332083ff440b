// A model's components and parameters by name, and their values at one point.
#include "model/model.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

#include "error.h"

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

/// Names that a column or a sweep axis has already.
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
  const std::string nearest = nearest_name(name, known);
  if (!nearest.empty()) fail("unknown parameter '{}'; did you mean '{}'?", name, nearest);
  fail("unknown parameter '{}'; known: {}", name, fmt::join(known, ", "));
}

/// "poisson.D" taken apart and found in a model; no component for "force".
struct Place {
  size_t component = 0;
  const bm_parameter* parameter = nullptr;
};

Place find_place(const Model& model, std::string_view name) {
  if (name == "force") return {};
  const auto dot = name.find('.');
  const std::vector<Component>& components = model.components();
  const Component* component = dot == name.npos ? nullptr : find_component(components, name.substr(0, dot));
  if (!component) fail_unknown(model, name);
  return {static_cast<size_t>(component - components.data()),
          &find_parameter(*component->plugin, name.substr(dot + 1))};
}

}  // namespace

const std::vector<Component>& Model::components() const {
  if (components_.empty() || rank(components_[0]) != 0) {
    const Plugin& free = Registry::instance().find(BM_POTENTIAL, free_potential);
    components_.insert(components_.begin(), {&free, std::string(free_potential), {}});
    implicit_potential_ = true;
  }
  return components_;
}

Component& Model::add(uint32_t kind, std::string_view id, std::string_view name) {
  const Plugin& plugin = Registry::instance().find(kind, id);
  Component added{&plugin, std::string(name.empty() ? id : name), {}};
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

void Model::set(std::string_view parameter, double value) {
  const Place place = find_place(*this, parameter);
  if (!place.parameter) {
    if (!std::isfinite(value)) fail("force must be finite, got {}", value);
    force_ = value;
    return;
  }
  Component& component = components_[place.component];
  check_value(component.name, *place.parameter, value);
  component.given[place.parameter->name] = value;
}

void Model::check_name(std::string_view parameter) const { find_place(*this, parameter); }

std::vector<std::string> Model::parameter_names() const {
  std::vector<std::string> names;
  for (const Component& component : components()) {
    const bm_plugin& descriptor = **component.plugin;
    for (const bm_parameter& parameter : std::span(descriptor.parameters, descriptor.parameter_count))
      names.push_back(component.name + '.' + parameter.name);
  }
  names.emplace_back("force");
  return names;
}

const Component& Model::potential() const { return components().front(); }

ModelValues evaluate(const Model& model) {
  ModelValues result;
  result.force = model.force();
  result.time_scale = std::numeric_limits<double>::infinity();
  for (const Component& component : model.components()) {
    result.values.push_back(resolve(*component.plugin, component.given, component.name));
    result.time_scale =
        std::min(result.time_scale, time_scale(*component.plugin, result.values.back(), component.name));
  }
  result.period = period(*model.potential().plugin, result.values.front(), model.potential().name);
  return result;
}

double value_of(const Model& model, const ModelValues& values, std::string_view name) {
  const Place place = find_place(model, name);
  return place.parameter ? values.values[place.component][place.parameter->slot] : values.force;
}

}  // namespace bmsim
