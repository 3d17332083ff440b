// Where the pieces of a tabulated potential meet.
#pragma once
#include <vector>

#include "model/model.h"

namespace bmsim {

/// The knots of a spline, between which it is a polynomial, in units of the variable's length. Only potential.table is
/// a spline; other potentials have none.
std::vector<double> knots(const Plugin& plugin, const std::vector<std::vector<double>>& arrays);

/// The knots of a component of one variable as positions, ascending; in the period around 0 if there is one.
std::vector<double> knots_of(const Model& model, const ModelValues& values, const Component& potential);

}  // namespace bmsim
