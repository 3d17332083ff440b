// The search for jumps, kinks and gaps of a potential at one time.
#pragma once
#include "model/continuity.h"

namespace bmsim {

constexpr size_t most_found = 16;  ///< jumps of V: there may be more
constexpr size_t most_kinks = 64;  ///< jumps of V': there may be more

/// Adds the jumps, kinks and gaps at the time t to `result`; see continuity_of().
void find_breaks(const Plugin& potential, const std::vector<double>& values,
                 const std::vector<std::vector<double>>& arrays, double period, double t, Continuity& result);

}  // namespace bmsim
