#include "theory/landscape.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "error.h"
#include "model/formula_plugin.h"
#include "model/knots.h"

namespace bmsim::theory {
Bounds periodic_bounds(formula::Enclosure formula, double period) {
  const auto kept = std::make_shared<formula::Enclosure>(std::move(formula));
  return [kept, period](double from, double to) {
    if (!(period > 0)) return kept->over({from, to});
    const double shift = period * std::floor(from / period + 0.5), end = period / 2;
    from -= shift, to -= shift;
    if (to <= end) return kept->over({from, to});
    const formula::Enclosed before = kept->over({from, end}), after = kept->over({-end, to - period});
    return formula::either(before, after);
  };
}

namespace {
double hidden_in(const formula::Enclosed& force, double width) {
  const double bend = force.jumps ? INFINITY : force.slope.width() * width / 2;
  return std::min(force.value.width(), bend) * width;
}
}  // namespace

Hidden Landscape::hidden_energy(double unit) const {
  if (!bounds) return {};
  return [force = bounds, unit](double from, double to) { return force(from, to).value.width() * (to - from) / unit; };
}
Hidden Landscape::hidden_force(double unit) const {
  if (!bounds) return {};
  return [force = bounds, unit](double from, double to) { return hidden_in(force(from, to), to - from) / unit; };
}

Landscape Landscape::mirrored() const {
  Landscape other;
  if (bounds)
    other.bounds = [force = bounds](double from, double to) {
      const formula::Enclosed one = force(-to, -from);
      return formula::Enclosed{{-one.value.high, -one.value.low}, one.slope, one.jumps};
    };
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
  if (auto bounds = force_bounds(plugin, given.data(), 0, 0, {0})) made.bounds = periodic_bounds(*std::move(bounds), L);
  if (!(L > 0)) return made;
  made.segments = plugin.segments(given.data(), spans_of(arrays).data());
  std::vector<double> ends = knots(plugin, arrays);
  for (const bm_segment& one : made.segments) ends.push_back(one.left);
  for (const double u : ends) made.breaks.push_back(L * (u - std::floor(u)));
  if (!plugin.has(BM_SMOOTH) && made.segments.empty()) made.breaks.push_back(L / 2);  // where a formula is folded
  return made;
}

}  // namespace bmsim::theory
