// Choice of the method and the increments, where the script leaves them to "auto".
#pragma once
#include "plan/plan.h"
#include "scales/force_shape.h"

namespace bmsim {

/// Sets `kernel`, except its increments, from model and options; and `why_method`, if the method is not given. Throws
/// Error if the method does not apply to the model.
void choose_kernel(Plan& plan, const Sweep& sweep);
/// Chooses the law of Gaussian increments that the method and the potential at all points allow.
void choose_increments(Plan& plan);
/// Takes Gaussian ones where nobody asked for others, and bins of times are so narrow that paths come to a place at
/// which they end after a few steps, of which sums are not normal yet; near-Gaussian ones where rates of events change
/// between the few values of a point law. Steps and facts of points are known.
void settle_increments(Plan& plan, ForceShapes& shapes);
/// Replaces method exact by a method with steps if an observable, or the parameter values of a point, prevent it.
/// Throws Error if the script asks for method exact. And where "auto" would walk, but steps are far cheaper.
void settle_method(Plan& plan, ForceShapes& shapes);

}  // namespace bmsim
