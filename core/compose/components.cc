#include "compose/components.h"

#include <fmt/format.h>

namespace bmsim {

std::string Numbered::space() const {
  // Plugins made at run time may share an id.
  return plugin().state_functions() != nullptr || plugin().file().empty()
             ? fmt::format("{}_{}_{}", kind_name(plugin()->kind), plugin()->id, k)
             : fmt::format("{}_{}", kind_name(plugin()->kind), plugin()->id);
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

std::vector<std::string> value_names(const bm_plugin& plugin) {
  std::vector<std::string> names(plugin.value_count);
  for (uint32_t i = 0; i < plugin.value_count; ++i) names[i] = fmt::format("unused_{}", i);
  for (uint32_t i = 0; i < plugin.parameter_count; ++i) names[plugin.parameters[i].slot] = plugin.parameters[i].name;
  for (uint32_t i = 0; i < plugin.constant_count; ++i) names[plugin.constants[i].slot] = plugin.constants[i].name;
  return names;
}

const bm_parameter* choice_in(const bm_plugin& plugin, uint32_t slot) {
  for (uint32_t i = 0; i < plugin.parameter_count; ++i)
    if (plugin.parameters[i].slot == slot && plugin.parameters[i].choices != nullptr) return &plugin.parameters[i];
  return nullptr;
}

}  // namespace bmsim
