// Noises whose events come after exponential waiting times: what happens next does not depend on when the last event
// was. Who needs to know of them, methods without steps or theories, asks here.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace bmsim {

/// States of a noise with events. force: its value in each, without kicks; rate: of events, whatever they change.
struct MemorylessNoise {
  /// What every event adds to x. law: a word of noise.poisson; a: the mean of all kicks per time.
  struct Kicks {
    std::string law;
    double zeta, sigma, a;
  };
  std::vector<double> force, rate;
  std::vector<std::vector<double>> next;  ///< [state][next]: probability that an event leads there
  std::optional<Kicks> kicks{};
};

/// Whether memoryless() knows the component.
bool is_memoryless(const Component& component);

/// Poissonian noise (one state), dichotomous and three-state noise; nothing for other components.
std::optional<MemorylessNoise> memoryless(const Component& component, const std::vector<double>& values);

}  // namespace bmsim
