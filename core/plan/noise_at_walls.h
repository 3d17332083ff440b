// What noise with an amplitude, and forces on variables with inertia, are at walls that reflect: whether the noise
// vanishes there, whether it is defined beyond, and whether forces are others there.
#pragma once
#include "plan/plan.h"

namespace bmsim {

/// Sets the masks of variables whose steps near a wall are others (kernels/vanishing.h), of what holds at any point.
void look_at_walls(Plan& plan);

}  // namespace bmsim
