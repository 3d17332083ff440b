// Which moments of displacements the noises of a model leave.
#pragma once
#include "model/model.h"
#include "observe/observable.h"

namespace bmsim {

/// Sets PointFacts::tail and even_tails. A noise without an intensity (NAN) has no variance: where it has a parameter
/// alpha, moments exist below that order, and a parameter beta that is 0 says that its law is even.
void set_tail(const Model& model, const ModelValues& values, PointFacts& facts);

}  // namespace bmsim
