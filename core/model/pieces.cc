#include "model/pieces.h"

#include <cmath>

namespace bmsim {

Pieces pieces_of(const Model& model, const ModelValues& values) {
  const std::vector<bm_numbers> arrays = spans_of(values.arrays.front());
  const auto segments = model.potential().plugin->segments(values.values.front().data(), arrays.data());
  Pieces pieces;
  if (segments.empty()) return pieces;
  const double shift = std::rint(segments.front().left + 0.5);
  for (const bm_segment& segment : segments) {
    pieces.edge.push_back(segment.left - shift);
    pieces.force.push_back(-segment.slope);
  }
  pieces.edge.push_back(pieces.edge.front() + 1);
  return pieces;
}

}  // namespace bmsim
