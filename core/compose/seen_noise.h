// White noises that move the quantity that counters look at, within a step.
#pragma once
#include <vector>

#include "compose/kernel_options.h"
#include "model/model.h"

namespace bmsim {

struct SeenNoise {
  size_t sources;                            ///< number of independent noises
  std::vector<const Component*> multiplied;  ///< noises with an amplitude
  bool spreads;                              ///< how far noise moves the quantity varies between states on one level
};
SeenNoise seen_noise(const Model& model, const KernelOptions::Seen& seen);

}  // namespace bmsim
