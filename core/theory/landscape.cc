#include "theory/landscape.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "error.h"
#include "model/formula_plugin.h"
#include "model/knots.h"

namespace bmsim::theory {
Bounds periodic_bounds(formula::Enclosure formula, double period) {
  const auto enclosure = std::make_shared<formula::Enclosure>(std::move(formula));
  return [enclosure, period](double from, double to) {
    if (!(period > 0)) return enclosure->over({from, to});
    const double shift = period * std::floor(from / period + 0.5), end = period / 2;
    from -= shift, to -= shift;
    if (to <= end) return enclosure->over({from, to});
    const formula::Enclosed before = enclosure->over({from, end}), after = enclosure->over({-end, to - period});
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
  Landscape mirror;
  if (bounds)
    mirror.bounds = [force = bounds](double from, double to) {
      const auto [value, slope, jumps] = force(-to, -from);
      return formula::Enclosed{{-value.high, -value.low}, slope, jumps};
    };
  mirror.energy = [V = energy](double x) { return V(-x); };
  mirror.force = [f = force](double x) { return -f(-x); };
  mirror.period = period;
  for (const double place : breaks) mirror.breaks.push_back(place > 0 ? period - place : 0);
  for (const auto& [left, right, slope] : segments)
    mirror.segments.insert(mirror.segments.begin(), {-right, -left, -slope});
  return mirror;
}

Landscape landscape_of(const Model& model, const ModelValues& values) {
  const Component& potential = model.potential();
  const Plugin& plugin = *potential.plugin;
  const std::vector<double>& parameters = values.values.front();
  const std::vector<std::vector<double>>& arrays = values.arrays.front();
  if (plugin.depends_on_time())
    fail("{} '{}' must not depend on time, got a formula with t", plugin.full_name(), potential.name);
  const PotentialFunctions functions = potential_functions(model, values);
  const double L = values.only().period;
  const double somewhere = 0.1 * (L > 0 ? L : 1);
  if (std::isnan(functions.energy(somewhere)) || std::isnan(functions.force(somewhere)))
    fail("{} '{}' must have the host functions energy and force, got none", plugin.full_name(), potential.name);
  Landscape landscape;
  landscape.period = L;
  landscape.energy = functions.energy;
  landscape.force = functions.force;
  if (auto bounds = force_bounds(plugin, parameters.data(), 0, 0, {0}))
    landscape.bounds = periodic_bounds(*std::move(bounds), L);
  if (!(L > 0)) return landscape;
  landscape.segments = plugin.segments(parameters.data(), spans_of(arrays).data());
  std::vector<double> ends = knots(plugin, arrays);
  for (const bm_segment& segment : landscape.segments) ends.push_back(segment.left);
  for (const double u : ends) landscape.breaks.push_back(L * (u - std::floor(u)));
  // A formula may be folded at L/2.
  if (!plugin.has(BM_SMOOTH) && landscape.segments.empty()) landscape.breaks.push_back(L / 2);
  return landscape;
}

}  // namespace bmsim::theory
