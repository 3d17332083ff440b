#include "backend/memory.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>

#include "error.h"

namespace bmsim {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t unlimited = std::numeric_limits<uint64_t>::max();

/// The number in a file that has nothing else; nothing for "max", or if there is no file.
std::optional<uint64_t> number_in(const fs::path& file) {
  std::ifstream in(file);
  uint64_t number = 0;
  return in >> number ? std::optional(number) : std::nullopt;
}

/// The number after a word at the beginning of a line.
std::optional<uint64_t> number_after(const fs::path& file, std::string_view word) {
  std::ifstream in(file);
  for (std::string line; std::getline(in, line);) {
    std::istringstream words(line);
    std::string first;
    uint64_t number = 0;
    if (words >> first && first == word && words >> number) return number;
  }
  return {};
}

uint64_t left_of(uint64_t limit, uint64_t used) { return limit - std::min(limit, used); }

uint64_t of_computer(const fs::path& root) {
  constexpr uint64_t per_kilobyte = 1024;
  if (const auto available = number_after(root / "proc/meminfo", "MemAvailable:")) return *available * per_kilobyte;
  return static_cast<uint64_t>(sysconf(_SC_PHYS_PAGES)) * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)) / 2;
}

/// Names of a control group's files, in version 2 and in version 1.
struct GroupFiles {
  std::array<const char*, 2> limits;
  const char *usage, *cached;
};
/// Above memory.high the processes of a group are slowed down until they hardly go on.
constexpr GroupFiles version_2 = {{"memory.max", "memory.high"}, "memory.current", "inactive_file"};
constexpr GroupFiles version_1 = {{"memory.limit_in_bytes"}, "memory.usage_in_bytes", "total_inactive_file"};

/// Bytes that a group leaves, and the groups that it is in. Pages of files that nobody uses count as free.
uint64_t of_group(const fs::path& top, const fs::path& group, const GroupFiles& files) {
  uint64_t least = unlimited;
  for (fs::path level = group.relative_path();; level = level.parent_path()) {
    const fs::path place = top / level;
    uint64_t limit = unlimited;
    for (const char* file : files.limits)
      if (file != nullptr) limit = std::min(limit, number_in(place / file).value_or(unlimited));
    const auto usage = number_in(place / files.usage);
    if (limit != unlimited && usage)
      least = std::min(least,
                       left_of(limit, left_of(*usage, number_after(place / "memory.stat", files.cached).value_or(0))));
    if (level.empty()) return least;
  }
}

uint64_t of_control_groups(const fs::path& root) {
  const fs::path top = root / "sys/fs/cgroup";
  std::ifstream in(root / "proc/self/cgroup");  // lines "0::/user.slice", "4:memory:/slurm/job_12"
  uint64_t least = unlimited;
  for (std::string line; std::getline(in, line);) {
    const size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos) continue;
    const std::string controllers = line.substr(first + 1, second - first - 1);
    const fs::path group = line.substr(second + 1);
    if (controllers.empty()) least = std::min(least, of_group(top, group, version_2));
    if (controllers == "memory") least = std::min(least, of_group(top / "memory", group, version_1));
  }
  return least;
}

uint64_t of_address_space(const fs::path& root) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const uint64_t pages = number_in(root / "proc/self/statm").value_or(0);
  return left_of(limit.rlim_cur, pages * static_cast<uint64_t>(sysconf(_SC_PAGESIZE)));
}

}  // namespace

std::string size_text(double bytes) {
  constexpr std::array<std::string_view, 6> units = {"B", "kB", "MB", "GB", "TB", "PB"};
  size_t unit = 0;
  while (bytes >= 999.5 && unit + 1 < units.size()) bytes /= 1000, ++unit;
  return fmt::format("{:.3g} {}", bytes, units[unit]);
}

void fail_out_of_memory(std::string_view device, double bytes, std::string_view what, bm_status status) {
  const bool recorded = what == "recordings" || what == "sums over recordings";
  throw Error(fmt::format("{}: out of memory: {} for {}; lower {}paths, or memory =", device, size_text(bytes), what,
                          recorded              ? "times or count of what is recorded, "
                          : what == "densities" ? "bins, "
                                                : ""),
              status);
}

uint64_t free_memory(const fs::path& root) {
  return std::min({of_computer(root), of_control_groups(root), of_address_space(root)});
}

}  // namespace bmsim
