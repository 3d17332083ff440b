#include "backend/out_of_memory.h"

#include <array>

#include "error.h"

namespace bmsim {

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

}  // namespace bmsim
