#include "compose/components.h"

#include <fmt/format.h>

#include "plugin/state_functions.h"

namespace bmsim {

namespace {

/// Whether a plugin is made of formulas. Its names are those of a script, which may be anything to a compiler: words of
/// the language, or of the kernel.
bool of_script(const Plugin& plugin) { return plugin.file().empty(); }

}  // namespace

std::string Numbered::space() const {
  if (of_script(plugin())) return fmt::format("{}_{}", kind_name(plugin()->kind), k);
  const std::string name = fmt::format("{}_{}", kind_name(plugin()->kind), plugin()->id);
  // A potential of several variables has a text for each choice of them.
  return plugin().state_functions() != nullptr ? fmt::format("{}_{}", name, k) : name;
}

std::vector<Numbered> numbered(const Model& model) {
  std::vector<Numbered> all;
  size_t phases = 0;
  for (const Component& component : model.components()) {
    all.push_back({all.size(), &component, phases});
    phases += all.back().phases();
  }
  return all;
}

std::vector<Numbered> of_kind(const Model& model, uint32_t kind) {
  std::vector<Numbered> found;
  for (const Numbered& one : numbered(model))
    if (one.plugin()->kind == kind) found.push_back(one);
  return found;
}

std::vector<Numbered> multiplied_noises(const Model& model) {
  std::vector<Numbered> found;
  for (const Numbered& noise : of_kind(model, BM_NOISE))
    if (noise.has(BM_SIGMA) && model.amplitude_of(*noise.component) != nullptr) found.push_back(noise);
  return found;
}

std::vector<Numbered> multiplied_forces(const Model& model) {
  std::vector<Numbered> found;
  for (const Numbered& noise : of_kind(model, BM_NOISE))
    if (noise.has(BM_DRIFT | BM_EVOLVE) && model.amplitude_of(*noise.component) != nullptr) found.push_back(noise);
  return found;
}

std::vector<Numbered> step_noises(const Model& model) {
  std::vector<Numbered> found;
  for (const Numbered& one : of_kind(model, BM_NOISE))
    if (one.has(BM_EVOLVE | BM_INCREMENT)) found.push_back(one);
  return found;
}

size_t observed_phases(const Numbered& functions) {
  return functions.plugin().state_functions()->forces_read_phases() ? functions.phases() : 0;
}

std::vector<std::string> value_names(const Plugin& plugin) {
  std::vector<std::string> names(plugin->value_count);
  for (uint32_t i = 0; i < plugin->value_count; ++i) names[i] = fmt::format("unused_{}", i);
  for (uint32_t i = 0; i < plugin->parameter_count && !of_script(plugin); ++i)
    names[plugin->parameters[i].slot] = plugin->parameters[i].name;
  for (uint32_t i = 0; i < plugin->constant_count; ++i) names[plugin->constants[i].slot] = plugin->constants[i].name;
  return names;
}

const bm_parameter* choice_in(const bm_plugin& plugin, uint32_t slot) {
  for (uint32_t i = 0; i < plugin.parameter_count; ++i)
    if (plugin.parameters[i].slot == slot && plugin.parameters[i].choices != nullptr) return &plugin.parameters[i];
  return nullptr;
}

}  // namespace bmsim
