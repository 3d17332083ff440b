#include "theory/content.h"

#include <algorithm>

#include "error.h"

namespace bmsim::theory {
namespace {

Shot shot_of(const MemorylessNoise& noise) {
  const MemorylessNoise::Kicks& kicks = *noise.kicks;
  return {kicks.law, noise.rate[0], kicks.zeta, kicks.sigma, kicks.a, noise.force[0]};
}

/// The states that an event can lead to, and the rates between them.
Jumps jumps_of(const MemorylessNoise& noise, bool modulates) {
  Jumps jumps{{}, {}, modulates};
  std::vector<size_t> reached;
  for (size_t to = 0; to < noise.force.size(); ++to)
    if (std::ranges::any_of(noise.next, [&](const auto& probability) { return probability[to] > 0; }))
      reached.push_back(to);
  for (const size_t from : reached) {
    jumps.value.push_back(noise.force[from]);
    jumps.rate.emplace_back();
    for (const size_t to : reached)
      jumps.rate.back().push_back(from == to ? 0 : noise.rate[from] * noise.next[from][to]);
  }
  return jumps;
}

/// Adds a noise; returns false if no theory covers it.
bool add_noise(Content& content, const Component& component, std::span<const double> values) {
  if (const auto D = gaussian_intensity(component, values)) {
    content.D += *D;
  } else if (const auto noise = memoryless(*component.plugin, values)) {
    if (noise->kicks)
      content.shots.push_back(shot_of(*noise));
    else
      content.jumps.push_back(jumps_of(*noise, component.modulates));
  } else if (const auto flights = stable(*component.plugin, values)) {
    content.stables.push_back(*flights);
  } else {
    return false;
  }
  return true;
}

}  // namespace

std::string named(const Component& component) {
  return fmt::format("{} '{}'", component.plugin->full_name(), component.name);
}

std::optional<double> gaussian_intensity(const Component& component, std::span<const double> values) {
  if ((*component.plugin)->kind != BM_NOISE) return {};
  if (component.plugin->has(BM_SIGMA)) return component.plugin->intensity(values.data());
  if (const auto noise = stable(*component.plugin, values); noise && noise->alpha == 2)
    return noise->scale * noise->scale;
  return {};
}

std::optional<Coloured> coloured_of(const Component& component, std::span<const double> values) {
  if (!is_coloured(*component.plugin)) return {};
  const Plugin& plugin = *component.plugin;
  return Coloured{plugin.intensity(values.data()).value_or(0), plugin.time_scale(values.data())};
}

Content content_of(const Model& model, const ModelValues& values) {
  if (model.is_system()) fail("it is for models of one variable, got a system");
  Content content;
  content.landscape = landscape_of(model, values);
  content.potential = named(model.potential());
  content.force = values.only().force;
  content.underdamped = values.only().inertial;
  content.mass = values.only().mass;
  content.gamma = values.only().gamma;
  for (size_t i = 1; i < model.components().size(); ++i) {
    const Component& component = model.components()[i];
    if ((*component.plugin)->kind == observed_kind) continue;
    if ((*component.plugin)->kind == amplitude_kind) {
      if (content.multiplied.empty()) content.multiplied = named(model.multiplied_by(component));
      continue;
    }
    const std::string name = named(component);
    const size_t before = content.noises();
    const bool known = (*component.plugin)->kind == BM_NOISE && add_noise(content, component, values.values[i]);
    if (!known && content.uncovered.empty()) content.uncovered = name;
    if ((!known || content.noises() > before) && content.not_gaussian.empty()) content.not_gaussian = name;
  }
  return content;
}

}  // namespace bmsim::theory
