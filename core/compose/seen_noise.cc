#include "compose/seen_noise.h"

#include <algorithm>
#include <bit>

#include "compose/trajectory.h"
#include "plugin/state_functions.h"

namespace bmsim {

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
