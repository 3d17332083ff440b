// What the counters of a run look at for crossings of levels: the position of one variable, or a formula.
#pragma once
#include <optional>

#include "plan/plan.h"

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

}  // namespace bmsim
