// Where method exact applies.
#pragma once
#include "compose/kernel_options.h"
#include "compose/parameters.h"
#include "model/model.h"

namespace bmsim {

/// Throws Error naming the component that prevents it.
void check_exact(const Model& model);
/// The same for values at which the potential may not be piecewise linear, and for what observables want of the kernel.
void check_exact(const Model& model, const ModelValues& values, const KernelOptions& kernel);
/// About how many steps of dt an iteration of the kernel lasts: 1 with other methods, which make steps.
double steps_per_iteration(const Model& model, const ModelValues& values, const PointTime& time,
                           const KernelOptions& kernel);

}  // namespace bmsim
