// How many paths moments need where rare paths may decide them.
#pragma once
#include "observe/observable.h"

namespace bmsim {

/// Fewest paths whose moments of this order have standard errors, as far as it is known before the run: more for higher
/// ones, as in Recording::paths_for_third and paths_for_fourth.
inline double fewest_for_order(const PointFacts& facts, double order) {
  return order < 2 ? 0 : facts.fewest_for_squares * (order < 3 ? 1 : order < 4 ? 8 : 32);
}

}  // namespace bmsim
