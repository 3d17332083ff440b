// Walls of variables, on the host.
#pragma once
#include <limits>
#include <utility>

#include "model/model.h"

namespace bmsim {

/// The walls of a variable at a point of a sweep, in units of length; infinity where there is none.
struct Walls {
  Walls(const Model& model, const ModelValues& values, const Component& walls);
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  double length = 0;  ///< of walls that hold paths: the adsorption length

  /// Mirrors a place that is beyond a wall, at most to the other wall. Returns whether it was beyond a wall.
  bool mirror(double& x) const;
};

/// Where a variable can be: between the nearest of its walls, in units of length.
std::pair<double, double> between_walls(const Model& model, const ModelValues& values, size_t variable);
/// The sum of D of all white Gaussian noise that acts on a variable without an amplitude.
double white_noise_on(const Model& model, const ModelValues& values, size_t variable);
/// Unfolds variables with walls. Throws Error for walls in the wrong order, for a variable of a system whose period is
/// given, and for what sticky walls do not go with.
void settle_walls(const Model& model, ModelValues& values);

}  // namespace bmsim
