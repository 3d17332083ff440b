// Which moments of displacements exist under the noises of a model.
#pragma once
#include "model/model.h"
#include "observe/observable.h"

namespace bmsim {

/// Sets PointFacts::tail and even_tails. A noise without an intensity (NAN) has an infinite variance. If it has a
/// parameter alpha, moments exist below that order. If it has a parameter beta = 0, its law is even.
void set_tail(const Model& model, const ModelValues& values, PointFacts& facts);

}  // namespace bmsim
