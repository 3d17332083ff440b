// Noise with an amplitude at walls that reflect: whether it vanishes there, and whether it is defined beyond.
#pragma once
#include "engine/plan.h"

namespace bmsim {

/// Sets the masks of variables whose steps near a wall are others (kernels/vanishing.h), of what holds at any point.
void look_at_walls(Plan& plan);

}  // namespace bmsim
