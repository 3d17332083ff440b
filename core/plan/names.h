// Names of what a run gives: columns and arrays are found by them, in scripts and in files.
#pragma once
#include "plan/plan.h"

namespace bmsim {

/// Throws Error if two columns or arrays have one name, or one that stands for something else: a parameter of the
/// model, the step, or what a run says of its points.
void check_names_of_results(const Plan& plan, const Sweep& sweep);

}  // namespace bmsim
