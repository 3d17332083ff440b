#include "model/knots.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace bmsim {

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
  for (const double u : knots(*potential.plugin, values.arrays[model.index_of(potential)]))
    places.push_back(variable.length() * (variable.period > 0 ? u - std::floor(u + 0.5) : u));
  std::ranges::sort(places);
  return places;
}

}  // namespace bmsim
