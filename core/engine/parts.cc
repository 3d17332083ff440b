#include "engine/parts.h"

namespace bmsim {

std::vector<std::vector<Part>> divide(const std::vector<Share>& shares, uint64_t groups, size_t workers,
                                      bool divisible) {
  // From here on the last shares make a difference of less than 2.5 %, and paths that stay on their device are better.
  constexpr size_t many = 40;
  const size_t rounds = shares.size() / workers;
  const size_t whole = divisible && rounds < many ? rounds * workers : shares.size();
  std::vector<std::vector<Part>> parts(workers);
  for (size_t i = 0; i < whole; ++i) parts[i % workers].push_back({shares[i], i, 0, groups});
  for (size_t i = whole; i < shares.size(); ++i)
    for (size_t k = 0; k < workers; ++k) {
      const uint64_t first = groups * k / workers, last = groups * (k + 1) / workers;
      if (last > first) parts[(k + i) % workers].push_back({shares[i], i, first, last - first});
    }
  return parts;
}

}  // namespace bmsim
