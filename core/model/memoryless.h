// Noises whose events come after exponential waiting times: what happens next does not depend on when the last event
// was.
#pragma once
#include <optional>
#include <vector>

#include "model/model.h"

namespace bmsim {

/// States of a noise with events. force: its value in each, without the jumps; rate: of events, whatever they change.
struct MemorylessNoise {
  std::vector<double> force, rate;
};

/// Whether memoryless() knows the component.
bool is_memoryless(const Component& component);

/// Poissonian noise (one state), dichotomous and three-state noise; nothing for other components.
std::optional<MemorylessNoise> memoryless(const Component& component, const std::vector<double>& values);

}  // namespace bmsim
