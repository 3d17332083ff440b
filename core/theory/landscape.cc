#include "theory/landscape.h"

#include <cmath>
#include <memory>
#include <string_view>

#include "error.h"

namespace bmsim::theory {
namespace {

/// The knots of a spline, between which it is a polynomial: those of potential.table, the only spline.
std::vector<double> knots(const Plugin& plugin, const std::vector<std::vector<double>>& arrays) {
  if (std::string_view(plugin->id) != "table" || arrays.size() < 2) return {};
  const std::vector<double>& nodes = arrays[0];
  const size_t pieces = arrays[1].size();
  std::vector<double> made;
  for (size_t i = 0; i < pieces; ++i)
    made.push_back(nodes.empty() ? static_cast<double>(i) / static_cast<double>(pieces) : nodes[i]);
  return made;
}

}  // namespace

Landscape Landscape::mirrored() const {
  Landscape other;
  other.energy = [V = energy](double x) { return V(-x); };
  other.force = [f = force](double x) { return -f(-x); };
  other.period = period;
  for (const double one : breaks) other.breaks.push_back(one > 0 ? period - one : 0);
  for (const bm_segment& one : segments)
    other.segments.insert(other.segments.begin(), {-one.right, -one.left, -one.slope});
  return other;
}

Landscape landscape_of(const Model& model, const ModelValues& values) {
  const Component& potential = model.potential();
  const Plugin& plugin = *potential.plugin;
  const std::vector<double>& given = values.values.front();
  const std::vector<std::vector<double>>& arrays = values.arrays.front();
  if (plugin.depends_on_time())
    fail("{} '{}' must not depend on time, got a formula with t", plugin.full_name(), potential.name);
  const PotentialFunctions functions = potential_functions(model, values);
  const double L = values.only().period;
  const double somewhere = 0.1 * (L > 0 ? L : 1);
  if (std::isnan(functions.energy(somewhere)) || std::isnan(functions.force(somewhere)))
    fail("{} '{}' must have the host functions energy and force, got none", plugin.full_name(), potential.name);
  Landscape made;
  made.period = L;
  made.energy = functions.energy;
  made.force = functions.force;
  if (!(L > 0)) return made;
  made.segments = plugin.segments(given.data(), spans_of(arrays).data());
  std::vector<double> ends = knots(plugin, arrays);
  for (const bm_segment& one : made.segments) ends.push_back(one.left);
  for (const double u : ends) made.breaks.push_back(L * (u - std::floor(u)));
  if (!plugin.has(BM_SMOOTH) && made.segments.empty()) made.breaks.push_back(L / 2);  // where a formula is folded
  return made;
}

}  // namespace bmsim::theory
