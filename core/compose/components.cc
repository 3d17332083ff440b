#include "compose/components.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>

#include "compose/trajectory.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

/// Whether a plugin is made of formulas. Its names are those of a script, which may be words of the kernel's language.
bool of_script(const Plugin& plugin) { return plugin.file().empty(); }

}  // namespace

std::string Numbered::space() const {
  if (of_script(plugin())) return fmt::format("{}_{}", kind_name(plugin()->kind), k);
  const std::string name = fmt::format("{}_{}", kind_name(plugin()->kind), plugin()->id);
  // A potential of several variables has a text for each choice of them.
  return plugin().state_functions() != nullptr ? fmt::format("{}_{}", name, k) : name;
}

std::string Numbered::phases_from(std::string_view first, std::string_view type) const {
  return phases() > 0 ? fmt::format("{} + {}", first, first_phase) : fmt::format("(const {}*)0", type);
}

std::vector<Numbered> numbered(const Model& model) {
  std::vector<Numbered> components;
  size_t phases = 0;
  for (const Component& component : model.components()) {
    components.push_back({components.size(), &component, phases});
    phases += components.back().phases();
  }
  return components;
}

std::vector<Numbered> of_kind(const Model& model, uint32_t kind) {
  std::vector<Numbered> components = numbered(model);
  std::erase_if(components, [&](const Numbered& component) { return component.plugin()->kind != kind; });
  return components;
}

std::vector<Numbered> multiplied_noises(const Model& model) {
  return of_kind(model, BM_NOISE, [&](const Numbered& noise) {
    return noise.has(BM_SIGMA) && model.amplitude_of(*noise.component) != nullptr;
  });
}

std::vector<Numbered> multiplied_forces(const Model& model) {
  return of_kind(model, BM_NOISE, [&](const Numbered& noise) {
    return noise.has(BM_DRIFT | BM_EVOLVE) && model.amplitude_of(*noise.component) != nullptr;
  });
}

std::vector<Numbered> step_noises(const Model& model) {
  return of_kind(model, BM_NOISE, [](const Numbered& noise) { return noise.has(BM_EVOLVE | BM_INCREMENT); });
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

SeenNoise seen_noise(const Model& model, const KernelOptions::Seen& seen) {
  const Counts counts = count(model);
  const uint32_t moved = (seen.variables & ~counts.inertial) | seen.velocities;
  SeenNoise found{static_cast<size_t>(std::popcount(moved & counts.white)), {}, false};
  for (const Component& noise : model.components()) {
    const Component* amplitude = model.amplitude_of(noise);
    if (amplitude != nullptr && noise.plugin->has(BM_SIGMA) &&
        (amplitude->plugin->state_functions()->acts_on() & moved) != 0)
      found.multiplied.push_back(&noise);
  }
  found.sources += found.multiplied.size();
  const auto reads_others = [&](const Component* noise) {
    const StateFunctions& amplitude = *model.amplitude_of(*noise)->plugin->state_functions();
    return (amplitude.reads_variables() & ~seen.variables) != 0 || amplitude.reads_velocities();
  };
  switch (seen.of) {
    case KernelOptions::Seen::variable:
      found.spreads = std::ranges::any_of(found.multiplied, reads_others);
      break;
    case KernelOptions::Seen::linear_formula:
      found.spreads = !found.multiplied.empty();
      break;
    case KernelOptions::Seen::formula:
      found.spreads = found.sources > 0;
      break;
  }
  return found;
}

}  // namespace bmsim
