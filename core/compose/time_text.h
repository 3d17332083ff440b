// The generated part of a kernel that depends on time: drives, coloured noises, noises with increments of their own.
#pragma once
#include <string>
#include <vector>

#include "compose/components.h"

namespace bmsim {

/// Whether the constant drift is part of the outside influences, where it is added once for all trajectories.
bool drift_is_outside(const Model& model);
/// outside_at: influences of the drives at given phases.
std::string outside_text(const Model& model);
/// Changes of the noises of step_noises() in a step; empty if there are none.
std::string step_text(const Model& model);

}  // namespace bmsim
