#include "theory/landscape.h"

#include <algorithm>
#include <cmath>
#include <memory>

#include "error.h"
#include "interruption.h"
#include "model/formula_plugin.h"
#include "model/pieces.h"
#include "numbers.h"

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

Hidden Landscape::hidden_energy(double unit) const {
  if (!bounds) return {};
  return [force = bounds, unit](double from, double to) { return force(from, to).value.width() * (to - from) / unit; };
}
Hidden Landscape::hidden_force(double unit) const {
  if (!bounds) return {};
  return [force = bounds, unit](double from, double to) {
    const formula::Enclosed f = force(from, to);
    const double width = to - from, bend = f.jumps ? INFINITY : f.slope.width() * width / 2;
    return std::min(f.value.width(), bend) * width / unit;
  };
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
  const std::span<const double> parameters = values.values.front();
  const std::vector<std::vector<double>>& arrays = values.arrays(0);
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

FourierForce harmonics(const Landscape& landscape, int most, double energy) {
  constexpr double negligible = 1e-13;
  const double L = landscape.period, largest = magnitude(landscape.force, 0, L);
  FourierForce series{L, std::vector<std::complex<double>>(static_cast<size_t>(most) + 1)};
  if (largest == 0) return {L, {0}};
  const auto panels =
      mesh(landscape.force, 0, L, landscape.breaks, {1e-12 * largest, INFINITY, landscape.hidden_force(energy)});
  if (panels.empty()) fail("the force of the potential must be resolved by 200000 pieces, got more");
  const GaussRule& rule = gauss_rule();
  for (const Panel& panel : panels) {
    const double parts = std::ceil(panel.width / L * most);  // at most one wave each
    for (double index = 0; index < parts; ++index) {
      const Panel part{panel.left + panel.width * index / parts, panel.width / parts};
      check_interruption();
      for (size_t i = 0; i < gauss_points; ++i) {
        const double x = part.node(i);
        const std::complex<double> turn = std::polar(1.0, -2 * pi * x / L);
        std::complex<double> term = rule.weight[i] * part.width / L * landscape.force(x);
        for (auto& coefficient : series.coefficient) {
          coefficient += term;
          term *= turn;
        }
      }
    }
  }
  double top = 0;
  for (const auto& coefficient : series.coefficient) top = std::max(top, std::abs(coefficient));
  series.coefficient[0] = 0;  // V is periodic
  while (series.coefficient.size() > 1 && std::abs(series.coefficient.back()) < negligible * top)
    series.coefficient.pop_back();
  return series;
}

}  // namespace bmsim::theory
