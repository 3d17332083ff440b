// What numbers of 32 bits hold of a model.
#pragma once
#include <string>

#include "engine/plan.h"

namespace bmsim {

/// A number of a point of whose powers single precision does not hold all digits: "gaussian.D = 1e-24"; "" for none.
std::string beyond_single(const Plan& plan, const Point& point);
/// A warning where single precision was asked for and does not hold the numbers of a point; "" for none.
std::string check_precision(const Plan& plan, const Sweep& sweep);

}  // namespace bmsim
