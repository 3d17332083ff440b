// Walls that reflect a variable, on the host.
#pragma once
#include <limits>
#include <utility>

#include "model/model.h"

namespace bmsim {

/// The walls of a variable at a point, in units of length; infinity where there is none.
struct Walls {
  Walls(const Model& model, const ModelValues& values, const Component& walls);
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  double length = 0;  ///< of walls that hold paths: the adsorption length

  /// Mirrors a place that is beyond a wall, but not farther than to the other wall. Returns whether it was beyond.
  bool mirror(double& x) const;
};

/// Where a variable can be: between the nearest of its walls, in units of length.
std::pair<double, double> between_walls(const Model& model, const ModelValues& values, size_t variable);
/// White Gaussian noise that acts on a variable without an amplitude: D of all together.
double white_noise_on(const Model& model, const ModelValues& values, size_t variable);
/// Variables between walls are not folded. Throws Error for walls that are not in their order, for a variable of a
/// system whose period is given, and for what sticky walls do not go with.
void settle_walls(const Model& model, ModelValues& values);

}  // namespace bmsim
