// Searches in sampled functions.
#pragma once
#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "plugin/plugin.h"

namespace bmsim {

/// Largest minus smallest of the values with an index within `window` of i.
inline double range_around(const std::vector<double>& values, size_t i, size_t window) {
  const auto from = values.begin() + static_cast<ptrdiff_t>(i > window ? i - window : 0);
  const auto to = values.begin() + static_cast<ptrdiff_t>(std::min(values.size(), i + window + 2));
  const auto [least, most] = std::minmax_element(from, to);
  return *most - *least;
}

/// The mean of the slopes in the intervals before and after [i, i + 1].
inline double slope_beside(const std::vector<double>& at, const std::vector<double>& values, size_t i) {
  const auto slope = [&](size_t k) { return (values[k + 1] - values[k]) / (at[k + 1] - at[k]); };
  return (slope(i - 1) + slope(i + 1)) / 2;
}

/// A number for the branch on which a formula is, by a side of it.
inline double branch_of(const Side& side) {
  return side.whole ? std::floor(side.argument) : static_cast<double>((side.argument > 0) - (side.argument < 0));
}

/// A place in (a, b) with f <= 0, nothing if there is none. f must be positive at both ends, with one minimum between
/// them. Uses the golden section, to 10^-5 of the interval.
template <class F> std::optional<double> not_positive(F f, double a, double b) {
  constexpr double golden = 0.6180339887498949;
  double low = b - golden * (b - a), high = a + golden * (b - a), at_low = f(low), at_high = f(high);
  for (int i = 0; i < 24 && at_low > 0 && at_high > 0; ++i) {
    if (at_low < at_high) {
      b = high, high = low, at_high = at_low;
      low = b - golden * (b - a), at_low = f(low);
    } else {
      a = low, low = high, at_low = at_high;
      high = a + golden * (b - a), at_high = f(high);
    }
  }
  if (at_low <= 0) return low;
  return at_high <= 0 ? std::optional(high) : std::nullopt;
}

/// The largest jump of the slope of a function in (from, to), 0 if the function is smooth there. The part where slopes
/// differ most is divided again and again: that makes the difference smaller unless there is a kink. difference: what
/// it is before.
template <class Function> double kink_in(const Function& b, double from, double to, double difference) {
  constexpr int parts = 8, rounds = 6;
  constexpr double remains = 0.3, at_jump = 10;
  double found = difference;
  for (int round = 0; round < rounds; ++round) {
    const double h = (to - from) / parts;
    double slopes[parts];
    for (int k = 0; k < parts; ++k) slopes[k] = (b(from + (k + 1) * h) - b(from + k * h)) / h;
    int most = 0;
    for (int k = 0; k + 1 < parts; ++k)
      if (std::abs(slopes[k + 1] - slopes[k]) > std::abs(slopes[most + 1] - slopes[most])) most = k;
    // the kink may be within either of both parts
    found = std::abs(slopes[std::min(most + 2, parts - 1)] - slopes[std::max(most - 1, 0)]);
    if (!(found > remains * difference && found < at_jump * difference)) return 0;
    from += most * h, to = from + 2 * h;
  }
  return found;
}

}  // namespace bmsim
