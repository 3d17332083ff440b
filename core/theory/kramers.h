// Thermal escape from a minimum of a potential over its neighbouring maxima.
#pragma once
#include <optional>

#include "theory/landscape.h"

namespace bmsim::theory {

struct Particle {
  double mass, gamma, T;  ///< mass 0: overdamped
};

struct Escape {
  double left, right;  ///< rates; 0 on a side where there is no maximum
};

/// Kramers' rates at moderate to high friction, from the lowest minimum of V - F x or from the one that a particle at
/// `from` slides into:  sqrt(V''(min) |V''(max)|)/(2 pi gamma) exp(-Delta V/T). With a mass they are multiplied by
/// 2 c [sqrt(1 + c^2) - c], c = gamma/(2 mass omega_max). Physica 7, 284 (1940). This is the leading order in T/Delta
/// V: too high by T/(4 V0) for V0 sin(2 pi x/L). Extrema are located on a grid of 1/4000 of the period, or, without a
/// period, on a grid whose steps grow from 10^-3 by 1/200 of the distance from the origin, and then found exactly.
/// Throws Error if there is no minimum, no maximum, or no curvature there.
Escape kramers(const Landscape& landscape, double force, const Particle& particle, std::optional<double> from);

}  // namespace bmsim::theory
