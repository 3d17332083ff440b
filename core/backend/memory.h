// Memory that this process may still take, and the error when it runs out.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "bmsim/bmsim.h"

namespace bmsim {

/// "1.5 GB"
std::string size_text(double bytes);
/// Throws Error "cpu: out of memory: 64 GB for recordings; lower times or count of what is recorded, paths, or memory
/// =". what: "trajectories", "recordings", ...
[[noreturn]] void fail_out_of_memory(std::string_view device, double bytes, std::string_view what, bm_status status);

/// Bytes: what the computer has available, but no more than the process's control groups and the limit of its address
/// space (ulimit -v) leave. root: directory that holds proc and sys.
uint64_t free_memory(const std::filesystem::path& root = "/");

}  // namespace bmsim
