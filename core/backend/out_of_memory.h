// Error message when memory runs out: whose memory, how much was needed, for what, and what to lower.
#pragma once
#include <string>
#include <string_view>

#include "bmsim/bmsim.h"

namespace bmsim {

/// "1.5 GB"
std::string size_text(double bytes);
/// Throws Error "cpu: out of memory: 64 GB for recordings; lower times or count of what is recorded, paths, or memory
/// =". what: "trajectories", "recordings", ...
[[noreturn]] void fail_out_of_memory(std::string_view device, double bytes, std::string_view what, bm_status status);

}  // namespace bmsim
