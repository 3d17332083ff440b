// What the counters of a run look at for crossings of levels: the position of one variable, or a formula.
#pragma once
#include <optional>
#include <span>
#include <string>

#include "plan/plan.h"
#include "scales/system_scales.h"

namespace bmsim {

/// The formula that counters look at, null if it is a variable or nothing.
const StateFormula* seen_formula(const EnsemblePlan& plan);

/// Chooses what counters look at, and notes what this needs. Throws Error if they look at two things.
void choose_seen(EnsemblePlan& plan);
/// Throws Error if it cannot be known when what counters look at crosses a level between two steps.
void check_seen(const EnsemblePlan& plan);

/// The parameters of a linear formula (kernels/seen.h), as a counter that counts nothing; nothing for other formulas.
std::optional<Counter> seen_counter(const EnsemblePlan& plan, const Point& point);

/// D of a linear formula, whose variance grows by 2 D t over short times; 0 for others.
double thermal_intensity(const StateFormula& formula, const Model& model, const ModelValues& values,
                         const std::vector<VariableFacts>& variables);

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
