// White noises that move what counters look at within a step.
#pragma once
#include <vector>

#include "compose/kernel_options.h"
#include "model/model.h"

namespace bmsim {

struct SeenNoise {
  size_t sources;                            ///< independent ones
  std::vector<const Component*> multiplied;  ///< those with an amplitude
  bool spreads;                              ///< how far they move it depends on the state, otherwise than on a level
};
SeenNoise seen_noise(const Model& model, const KernelOptions::Seen& seen);

}  // namespace bmsim
