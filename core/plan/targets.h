// Wanted errors, which a run reaches by more paths: engine/target.h.
#pragma once
#include "plan/plan.h"

namespace bmsim {

/// Throws Error for targets whose errors an ensemble of `paths` paths cannot give.
void check_targets(const Plan& plan);

}  // namespace bmsim
