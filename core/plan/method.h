// Choice of the method and the increments, where the script leaves them to "auto".
#pragma once
#include "plan/plan.h"
#include "scales/force_shape.h"

namespace bmsim {

/// Sets `kernel`, except its increments, from model and options. Sets `why_method`, too, if the method is not given.
/// Throws Error if the method does not apply to the model.
void choose_kernel(Plan& plan, const Sweep& sweep);
/// Chooses the law of Gaussian increments that the method and the potential at all points allow.
void choose_increments(Plan& plan);
/// Changes a law of increments that nobody asked for. It becomes Gaussian where bins of times are so narrow that paths
/// come to a place at which they end after a few steps, whose sum is not normal yet. It becomes near-Gaussian where
/// rates of events change between the few values of a point law. Steps and facts of points must be known.
void settle_increments(Plan& plan, ForceShapes& shapes);
/// Replaces method exact by a method with steps if an observable, or the parameter values of a point, prevent it.
/// Throws Error then if the script asks for method exact. Also replaces a walk of "auto" if steps are far cheaper.
void settle_method(Plan& plan, ForceShapes& shapes);

/// Sets the masks of variables whose steps near a wall are special (kernels/vanishing.h), at any point of the plan:
/// where noise with an amplitude vanishes at a wall that reflects, is not defined beyond, or where forces on a variable
/// with inertia differ beyond. (plan/noise_at_walls.cc)
void look_at_walls(Plan& plan);

}  // namespace bmsim
