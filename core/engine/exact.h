// Where method exact applies.
#pragma once
#include <string>

#include "engine/plan.h"

namespace bmsim {

/// The component that prevents it, in words; "" where none does.
std::string why_not_exact(const Model& model);
/// The same for values at which the potential may not be piecewise linear, and for what observables want of the kernel.
std::string why_not_exact(const Model& model, const ModelValues& values);
/// What a plan's kernel counts at a point; nothing unless it does.
/// Edges of the pieces of V, in periods.
std::vector<double> edges_of(const Model& model, const ModelValues& values);
/// About how many steps of dt an iteration of the kernel lasts: 1 with other methods, which make steps.
double steps_per_iteration(const Model& model, const ModelValues& values, const PointTime& time,
                           const KernelOptions& kernel);

}  // namespace bmsim
