// What the length of the step does to every estimate.
#pragma once
#include "engine/levels.h"

namespace bmsim {

/// Runs every path twice, with the plan's step h and with h/2, where it can be on the same noise (engine/levels.h), in
/// 16 to 64 shares of 64 paths or more, whose scatter gives all errors. Estimates are those with h. Of an estimate e(h)
/// with weak order p the error of the step is e(h) - e(0) = [e(h) - e(h/2)] 2^p / (2^p - 1), and e(0) the value with it
/// removed (L. F. Richardson; D. Talay, L. Tubaro, Stoch. Anal. Appl. 8, 483 (1990)). Both hold where the error falls
/// as h^p, which a quarter of the shares checks with h/2 and h/4: what the two pairs disagree by is part of the errors
/// where it is seen; where it is as large as half of the error of the step, or the step is longer than the motion
/// allows, e(0) is nan and a warning says so.
RunOutcome run_with_step_error(const Plan& plan, const RunHooks& hooks);

/// Of every array that has errors two more, NAME_step and NAME_step_err: what the step adds to it.
std::vector<Array> step_arrays(const std::vector<Array>& arrays);

/// Estimates and arrays of an outcome from quantities as Levels numbers them, with step_arrays.
using Quantity = std::function<Estimate(size_t point, size_t i)>;
void fill_outcome(const Plan& plan, const Levels& levels, const Quantity& value, const Quantity& step_error,
                  const Quantity& extrapolated, RunOutcome& outcome);

}  // namespace bmsim
