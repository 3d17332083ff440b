// Memory that this process may still take.
#pragma once
#include <cstdint>
#include <filesystem>

namespace bmsim {

/// Bytes: what the computer has available, but no more than the process's control groups and the limit of its address
/// space (ulimit -v) leave. root: directory that holds proc and sys.
uint64_t free_memory(const std::filesystem::path& root = "/");

}  // namespace bmsim
