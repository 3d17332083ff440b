// The generated part of a kernel that depends on time: drives, coloured noises, noises with increments of their own.
#pragma once
#include <string>
#include <vector>

#include "compose/components.h"

namespace bmsim {

/// Whether the constant drift is among what acts from outside, where it is added once for all trajectories.
bool drift_is_outside(const Model& model);
/// outside_at: what drives do at given phases.
std::string outside_text(const Model& model);
/// What the noises of step_noises() do in a step; empty where there are none.
std::string step_text(const std::vector<Numbered>& noises);

}  // namespace bmsim
