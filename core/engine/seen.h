// What the counters of a run look at for crossings of levels: the position of one variable, or a linear formula.
#pragma once
#include <optional>

#include "engine/plan.h"

namespace bmsim {

/// Chooses it. Throws Error if counters look at two of them, or cannot tell when it crosses a level between two steps.
void choose_seen(EnsemblePlan& plan);

/// The parameters of the formula (kernels/seen.h) as a counter that counts nothing; nothing if it is a variable.
std::optional<Counter> seen_formula(const EnsemblePlan& plan, const Point& point);

/// D of a linear formula, whose variance grows by 2 D t over short times; 0 for others.
double thermal_intensity(const StateFormula& formula, const Model& model, const ModelValues& values,
                         const std::vector<VariableFacts>& variables);

}  // namespace bmsim
