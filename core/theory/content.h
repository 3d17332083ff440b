// The parts of a model at one point of a sweep, in the terms that theories use.
#pragma once
#include "model/memoryless.h"
#include "theory/landscape.h"

namespace bmsim::theory {

/// White shot noise. law: one of the laws of noise.poisson.
struct Shot {
  std::string law;
  double rate, zeta, sigma;
  double mean, drift;  ///< mean force of the kicks; the force added to it, -a if they are compensated
};

/// Noise that jumps between values, as dichotomous and three-state noise do.
struct Jumps {
  std::vector<double> value;
  std::vector<std::vector<double>> rate;  ///< [from][to]
  bool modulates;
};

/// Each noise is in the member for its kind. Strings such as "noise.poisson 'kicks'" are for messages.
struct Content {
  Landscape landscape;
  std::string potential;
  double force = 0, D = 0;
  bool underdamped = false;
  double mass = 0, gamma = 1;
  std::vector<Shot> shots{};
  std::vector<Jumps> jumps{};
  std::vector<StableNoise> stables{};
  size_t noises() const { return shots.size() + jumps.size() + stables.size(); }  ///< without Gaussian ones
  std::string not_gaussian{};  ///< the first noise that is not Gaussian and white
  std::string multiplied{};    ///< the first noise with an amplitude
  std::string uncovered{};     ///< the first component that no theory covers
};

/// Throws Error as landscape_of does.
Content content_of(const Model& model, const ModelValues& values);

/// "noise.poisson 'kicks'"
std::string named(const Component& component);
/// D of white Gaussian noise, without its amplitude; empty for other components.
std::optional<double> gaussian_intensity(const Component& component, std::span<const double> values);
/// Ornstein-Uhlenbeck noise y, dy = -y/tau dt + sqrt(2 D)/tau dW.
struct Coloured {
  double D, tau;
};
/// Empty for other components.
std::optional<Coloured> coloured_of(const Component& component, std::span<const double> values);

}  // namespace bmsim::theory
