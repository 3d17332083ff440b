// What noises say about their law, by extensions of their plugins. Methods without steps and theories ask here. Most
// of it is about noises whose events come after exponential waiting times: what happens next does not depend on when
// the last event was.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "plugin/plugin.h"

namespace bmsim {

/// A noise with events, by its states. force: its value in each state, without kicks; rate: of events in each state,
/// whatever they change.
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

/// Whether memoryless() gives something.
bool is_memoryless(const Plugin& plugin);

/// The law of a noise with a bm_chain, or with a bm_kicks, which has one state; nothing for other plugins.
std::optional<MemorylessNoise> memoryless(const Plugin& plugin, std::span<const double> values);

/// White noise with alpha-stable increments.
struct StableNoise {
  double alpha, beta, scale;
};
std::optional<StableNoise> stable(const Plugin& plugin, std::span<const double> values);

/// Whether it is Gaussian noise with exponential correlations.
bool is_coloured(const Plugin& plugin);

}  // namespace bmsim
