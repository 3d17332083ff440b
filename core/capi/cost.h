// What a run will cost, said before it starts.
#pragma once
#include <string>

#include "capi/objects.h"
#include "engine/work.h"

namespace bmsim {

/// One line: steps, time, the slowest point and why it is slow, and what would be cheaper. Plans with other options
/// tell that, of the slowest point alone if there are many points. "" for a run of less than a minute.
std::string cost_text(const bm_run& run, const Plan& plan, const Expected& expected);

}  // namespace bmsim
