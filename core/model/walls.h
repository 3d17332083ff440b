// Walls that reflect a variable, on the host.
#pragma once
#include <limits>

#include "model/model.h"

namespace bmsim {

/// The walls of a variable at a point, in units of length; infinity where there is none.
struct Walls {
  Walls(const Model& model, const ModelValues& values, const Component& walls);
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
};

/// Variables between walls are not folded. Throws Error for walls that are not in their order, and for a variable of a
/// system whose period is given.
void settle_walls(const Model& model, ModelValues& values);

}  // namespace bmsim
