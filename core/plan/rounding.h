// What single precision loses in a run, and whether that counts: docs/guide/precision.md derives the rule.
#pragma once
#include <string>

#include "plan/plan.h"
#include "scales/force_shape.h"

namespace bmsim {

/// What loses too much in single precision at a point: "gaussian.D = 1e-24 is ...", "the drift of x, ... "; "" for
/// nothing.
std::string lost_in_single(const Plan& plan, const Point& point, ForceShapes& shapes);

/// Chooses double precision if single precision loses too much at a point. For plans that leave the choice open.
void choose_precision(Plan& plan, ForceShapes& shapes);
/// A warning if single precision was asked for and loses too much at a point; "" for none.
std::string check_precision(const Plan& plan, const Sweep& sweep, ForceShapes& shapes);
/// Throws Error if a sticky wall holds particles for more steps than numbers of the precision count.
void check_holds(const Plan& plan);

}  // namespace bmsim
