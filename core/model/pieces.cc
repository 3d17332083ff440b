#include "model/pieces.h"

#include <cmath>

namespace bmsim {

Pieces pieces_of(const Model& model, const ModelValues& values) {
  std::vector<bm_numbers> arrays;
  for (const auto& one : values.arrays.front()) arrays.push_back({one.data(), static_cast<uint32_t>(one.size())});
  const auto segments = model.potential().plugin->segments(values.values.front().data(), arrays.data());
  Pieces pieces;
  if (segments.empty()) return pieces;
  const double shift = std::rint(segments.front().left + 0.5);
  for (const bm_segment& one : segments) {
    pieces.edge.push_back(one.left - shift);
    pieces.force.push_back(-one.slope);
  }
  pieces.edge.push_back(pieces.edge.front() + 1);
  return pieces;
}

}  // namespace bmsim
