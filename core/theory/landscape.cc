#include "theory/landscape.h"

#include <cmath>
#include <memory>
#include <string_view>

#include "error.h"

namespace bmsim::theory {
namespace {

/// The numbers of a potential, which its functions use.
struct Numbers {
  const Plugin& plugin;
  std::vector<double> values;
  std::vector<std::vector<double>> arrays;
  std::vector<bm_numbers> spans = spans_of(arrays);
};

double folded(double u) { return u - std::floor(u + 0.5); }

/// The knots of a spline, between which it is a polynomial: those of potential.table, the only spline.
std::vector<double> knots(const Numbers& numbers) {
  if (std::string_view(numbers.plugin->id) != "table" || numbers.arrays.size() < 2) return {};
  const std::vector<double>& nodes = numbers.arrays[0];
  const size_t pieces = numbers.arrays[1].size();
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
  const auto numbers =
      std::make_shared<const Numbers>(Numbers{*potential.plugin, values.values.front(), values.arrays.front()});
  const auto& [plugin, given, arrays, spans] = *numbers;
  if (plugin.depends_on_time())
    fail("{} '{}' must not depend on time, got a formula with t", plugin.full_name(), potential.name);
  if (std::isnan(plugin.energy(0.1, given.data(), spans.data())) ||
      std::isnan(plugin.force(0.1, given.data(), spans.data())))
    fail("{} '{}' must have the host functions energy and force, got none", plugin.full_name(), potential.name);
  const double L = values.only().period, unit = L > 0 ? L : 1;
  const auto place = [L, unit](double x) { return L > 0 ? folded(x / unit) : x; };
  Landscape made;
  made.period = L;
  made.energy = energy_of(model, values);
  made.force = [numbers, place](double x) {
    return numbers->plugin.force(place(x), numbers->values.data(), numbers->spans.data());
  };
  if (!(L > 0)) return made;
  made.segments = plugin.segments(given.data(), spans.data());
  std::vector<double> ends = knots(*numbers);
  for (const bm_segment& one : made.segments) ends.push_back(one.left);
  for (const double u : ends) made.breaks.push_back(L * (u - std::floor(u)));
  if (!plugin.has(BM_SMOOTH) && made.segments.empty()) made.breaks.push_back(L / 2);  // where a formula is folded
  return made;
}

}  // namespace bmsim::theory
