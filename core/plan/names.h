// Names of a run's columns and arrays, by which scripts and files find them.
#pragma once
#include "plan/plan.h"

namespace bmsim {

/// Throws Error if two columns or arrays have one name, or if one is called like something else: a parameter of the
/// model, the step, or what a run says of its points.
void check_names_of_results(const Plan& plan, const Sweep& sweep);

}  // namespace bmsim
