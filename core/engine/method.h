// What "auto" leaves open: the method and the increments.
#pragma once
#include "engine/plan.h"

namespace bmsim {

/// The kernel of a plan's model and options, but for its increments: `kernel`, and `why_method` where the method is not
/// given. Throws Error for a method that does not apply to the model.
void choose_kernel(Plan& plan, const Sweep& sweep);
/// The law of Gaussian increments that a plan's method and the potential at its points allow.
void choose_increments(Plan& plan);
/// Takes a method with steps, or throws Error where it was asked for, if observables or values at some point prevent
/// method exact.
void settle_method(Plan& plan);

}  // namespace bmsim
