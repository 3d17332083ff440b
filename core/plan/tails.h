// Which moments of displacements exist under the noises of a model.
#pragma once
#include "model/model.h"
#include "model/state_formula.h"
#include "observe/observable.h"
#include "scales/heavy_tails.h"

namespace bmsim {

/// Fewest paths whose second moments, of variables or of a formula, have standard errors: 0 where the law may be close
/// to normal. It is far from that if the amplitude of a noise grows with the state, or a formula grows faster than the
/// state: then rare paths decide second moments, and paths that include none of these have no sign of it.
double fewest_for_squares(const Model& model, const ModelValues& values);
double fewest_for_squares(const StateFormula& formula, const ModelValues& values);

/// Sets PointFacts::tail and even_tails. Under a noise with heavy tails moments exist below the order alpha. If it has
/// a parameter beta = 0, its law is even.
void set_tail(const Model& model, const ModelValues& values, PointFacts& facts);

}  // namespace bmsim
