#include "model/pieces.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace bmsim {

Pieces pieces_of(const Model& model, const ModelValues& values) {
  const std::vector<bm_numbers> arrays = spans_of(values.arrays(0));
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

std::vector<double> knots(const Plugin& plugin, const std::vector<std::vector<double>>& arrays) {
  if (std::string_view(plugin->id) != "table" || arrays.size() < 2) return {};
  const std::vector<double>& nodes = arrays[0];
  const size_t pieces = arrays[1].size();
  std::vector<double> places;
  for (size_t i = 0; i < pieces; ++i)
    places.push_back(nodes.empty() ? static_cast<double>(i) / static_cast<double>(pieces) : nodes[i]);
  return places;
}

std::vector<double> knots_of(const Model& model, const ModelValues& values, const Component& potential) {
  const VariableValues& variable = values.variables[potential.variable];
  std::vector<double> places;
  for (const double u : knots(*potential.plugin, values.arrays(model.index_of(potential))))
    places.push_back(variable.length() * (variable.period > 0 ? u - std::floor(u + 0.5) : u));
  std::ranges::sort(places);
  return places;
}

}  // namespace bmsim
