#pragma once
// Numbers that have names.
#include <limits>
#include <numbers>

namespace bmsim {

inline constexpr double infinity = std::numeric_limits<double>::infinity();
inline constexpr double nan = std::numeric_limits<double>::quiet_NaN();
inline constexpr double pi = std::numbers::pi;

}  // namespace bmsim
