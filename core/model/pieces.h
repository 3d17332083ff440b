// A piecewise-linear potential as the pieces of one period.
#pragma once
#include <vector>

#include "model/model.h"

namespace bmsim {

/// Pieces from the left to the right. Piece i lies between edge[i] and edge[i + 1], in units of the period; the last
/// edge is the first one a period on, and the middle of all is within half a period of 0. force: -V' on each.
struct Pieces {
  std::vector<double> edge, force;
};

/// None where the potential is not piecewise linear with these values. Throws Error as Plugin::segments does.
Pieces pieces_of(const Model& model, const ModelValues& values);

}  // namespace bmsim
