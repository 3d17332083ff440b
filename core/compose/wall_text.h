// The generated part of a kernel for walls that reflect variables (kernels/walls.h).
#pragma once
#include <cstdint>
#include <string>

#include "compose/components.h"

namespace bmsim {

/// Mask of the variables that have walls.
uint32_t walled(const Model& model);
/// Mask of the variables that have two walls.
uint32_t between_walls(const Model& model);
/// each_wall(p, f): calls f(variable, whether the wall is above, its place in lengths) for each wall, lower walls
/// first. each_sticky_wall(p, f): calls f(variable, whether the wall is above, its place, its adsorption length, the
/// place of the opposite wall) for each sticky wall. Without an opposite wall that reflects, its place is far away.
std::string walls_text(const Model& model);

}  // namespace bmsim
