// What a run will cost, said before it starts.
#pragma once
#include <string>

#include "capi/objects.h"
#include "engine/work.h"

namespace bmsim {

/// In one line: steps, time, the slowest point and why, and what would be cheaper, which plans with other options
/// tell, of the slowest point alone if there are many; "" for a run of less than a minute.
std::string cost_text(const bm_run& run, const Plan& plan, const Expected& expected);

}  // namespace bmsim
