// A piecewise-linear potential as the pieces of one period.
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

}  // namespace bmsim
