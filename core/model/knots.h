// Where the pieces of a tabulated potential meet.
#pragma once
#include <vector>

#include "model/model.h"

namespace bmsim {

/// The knots of a spline, between which it is a polynomial, in units of the variable's length: those of
/// potential.table, the only spline. None of other potentials.
std::vector<double> knots(const Plugin& plugin, const std::vector<std::vector<double>>& arrays);

/// The same as positions, ascending; in the period around 0 if there is one. potential: a component of one variable.
std::vector<double> knots_of(const Model& model, const ModelValues& values, const Component& potential);

}  // namespace bmsim
