// What a run can give: names of columns and arrays, by which scripts and files find them; wanted errors; moments that
// exist.
#pragma once
#include "plan/plan.h"
#include "scales/heavy_tails.h"

namespace bmsim {

/// Throws Error if two columns or arrays have one name, or that of a parameter, the step, or what a run says of points.
void check_names_of_results(const Plan& plan, const Sweep& sweep);
/// Throws Error for targets whose errors an ensemble of `paths` paths cannot give.
void check_targets(const Plan& plan);

/// Fewest paths whose second moments, of variables or of a formula, have standard errors: 0 where the law may be close
/// to normal. It is far from that if the amplitude of a noise grows with the state, or a formula grows faster than the
/// state: then rare paths decide second moments, and paths that include none of these have no sign of it.
double fewest_for_squares(const Model& model, const ModelValues& values);
double fewest_for_squares(const StateFormula& formula, const ModelValues& values);

/// Sets PointFacts::tail and even_tails: with heavy tails moments exist below the order alpha; beta = 0 is an even law.
void set_tail(const Model& model, const ModelValues& values, PointFacts& facts);

}  // namespace bmsim
