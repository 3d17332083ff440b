// Noise with an amplitude, and forces on variables with inertia, at walls that reflect: whether the noise vanishes
// there, whether it is defined beyond, and whether forces differ beyond.
#pragma once
#include "plan/plan.h"

namespace bmsim {

/// Sets the masks of variables whose steps near a wall are special (kernels/vanishing.h): at any point of the plan.
void look_at_walls(Plan& plan);

}  // namespace bmsim
