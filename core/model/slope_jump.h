// Kinks of functions, found by their values.
#pragma once
#include <algorithm>
#include <cmath>

namespace bmsim {

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
