// A potential as pieces: of one period, if it is piecewise linear; between knots, if it is tabulated.
#pragma once
#include <vector>

#include "model/model.h"

namespace bmsim {

/// Pieces from left to right. Piece i lies between edge[i] and edge[i + 1], in units of the period. The last edge is
/// the first one plus 1, and their middle is within 1/2 of 0. force: -V' on each piece.
struct Pieces {
  std::vector<double> edge, force;
};

/// Empty if the potential is not piecewise linear at these values. Throws Error as Plugin::segments does.
Pieces pieces_of(const Model& model, const ModelValues& values);

/// The knots of a spline, between which it is a polynomial, in units of the variable's length. Only potential.table is
/// a spline; other potentials have none.
std::vector<double> knots(const Plugin& plugin, const std::vector<std::vector<double>>& arrays);
/// The knots of a component of one variable as positions, ascending; in the period around 0 if there is one.
std::vector<double> knots_of(const Model& model, const ModelValues& values, const Component& potential);

}  // namespace bmsim
