// Narrow structure of the formula whose crossings of levels a run counts.
#pragma once
#include <limits>
#include <span>
#include <string>

#include "plan/plan.h"
#include "scales/system_scales.h"

namespace bmsim {

/// The noise of a formula where it is far steeper than at most places between two levels.
struct SeenStructure {
  double D = 0;                ///< of the formula there; 0 if it is nowhere so steep
  bool settled = true;         ///< if not, the formula may be steeper
  std::string unsure_at = "";  ///< and near which state
};

/// Looks for such places by bounds, in the region that SystemScales::extents describe, where the formula is between two
/// values. noise: D of positions, then of velocities. known: D of the formula where it is known.
SeenStructure structure_of(const StateFormula& formula, const Model& model, const ModelValues& values,
                           const SystemScales& scales, std::span<const double> noise, double known,
                           std::pair<double, double> between);

}  // namespace bmsim
