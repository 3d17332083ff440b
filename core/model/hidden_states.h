// States of a system at which its formulas change far faster than samples show.
#pragma once
#include "model/short_motion.h"
#include "model/structure.h"

namespace bmsim::short_paths {

/// Where a function of the model, of forces, amplitudes or rates, is far larger or steeper along one coordinate than
/// evenly spread samples of a region have shown. States are the middle of the region but for what the function depends
/// on. A function without a bound in the region, as of 1/r, tells nothing.
std::vector<State> hidden_states(const Model& model, const ModelValues& values, const State& low, const State& high,
                                 double t);

}  // namespace bmsim::short_paths
