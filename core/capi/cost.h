// What a run will cost, said before it starts.
#pragma once
#include <string>

#include "capi/objects.h"
#include "engine/work.h"

namespace bmsim {

/// In one line: steps, time, the slowest point and why, and what would be cheaper, which plans of the same run with
/// other options tell; "" for a run of less than a minute. planning: seconds that the plan has taken.
std::string cost_text(const bm_run& run, const Plan& plan, const Expected& expected, double planning);

}  // namespace bmsim
