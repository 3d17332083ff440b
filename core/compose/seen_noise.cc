#include "compose/seen_noise.h"

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
  const bool only_variable = seen.of == KernelOptions::Seen::variable && model.variables().size() == 1;
  found.spreads =
      found.sources > 0 && (seen.of == KernelOptions::Seen::formula || (!found.multiplied.empty() && !only_variable));
  return found;
}

}  // namespace bmsim
