// The generated part of a kernel that depends on time: drives, coloured noises, noises with increments of their own.
#pragma once
#include <string>
#include <vector>

#include "compose/components.h"

namespace bmsim {

/// Whether the constant drift is part of Outside, where it is added once for all trajectories.
bool drift_is_outside(const Model& model);
/// outside_at: what drives do at given phases.
std::string outside_text(const Model& model);
/// Functions for what the noises of step_noises() do in a step; empty if there are none.
std::string step_text(const Model& model);

}  // namespace bmsim
