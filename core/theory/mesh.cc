#include "theory/mesh.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"
#include "interruption.h"

namespace bmsim::theory {
namespace {

constexpr size_t n = gauss_points;
constexpr double narrowest = 1e-12;
constexpr double narrowest_hidden = 1e-7;
constexpr size_t most_looks = 400'000;  // samples of panels that may hide structure
constexpr double rounding = 8 * std::numeric_limits<double>::epsilon();
constexpr double overlooked = 1e3;  // deviation from the interpolation, in tolerances, that shows hidden structure
constexpr size_t at_first = 16;     // panels; no feature as wide as the distance of their nodes is overlooked
constexpr std::array<double, 5> probes = {0.025, 0.29, 0.5, 0.73, 0.98};

double lagrange(const std::array<double, n>& node, size_t j, double x) {
  double product = 1;
  for (size_t k = 0; k < n; ++k)
    if (k != j) product *= (x - node[k]) / (node[j] - node[k]);
  return product;
}

GaussRule make_rule() {
  GaussRule rule;
  for (size_t i = 0; i < n; ++i) {
    double x = std::cos(std::acos(-1.0) * (static_cast<double>(i) + 0.75) / (n + 0.5)), slope = 1;
    for (int step = 0; step < 8; ++step) {  // Newton on the Legendre polynomial
      const double p = std::legendre(n, x);
      slope = n * (x * p - std::legendre(n - 1, x)) / (x * x - 1);
      x -= p / slope;
    }
    rule.node[n - 1 - i] = (1 + x) / 2;
    rule.weight[n - 1 - i] = 1 / ((1 - x * x) * slope * slope);
  }
  for (size_t i = 0; i < n; ++i)
    for (size_t j = 0; j < n; ++j)
      for (size_t k = 0; k < n; ++k)
        rule.partial[i][j] += rule.node[i] * rule.weight[k] * lagrange(rule.node, j, rule.node[i] * rule.node[k]);
  return rule;
}

/// Values of the Lagrange polynomials at the probes.
const std::array<std::array<double, n>, probes.size()>& probe_weights() {
  static const auto weights = [] {
    std::array<std::array<double, n>, probes.size()> basis{};
    for (size_t i = 0; i < probes.size(); ++i)
      for (size_t j = 0; j < n; ++j) basis[i][j] = lagrange(gauss_rule().node, j, probes[i]);
    return basis;
  }();
  return weights;
}

bool resolved(const Function& f, const Panel& panel, const MeshLimits& limits) {
  std::array<double, n> value{};
  for (size_t i = 0; i < n; ++i) value[i] = f(panel.node(i));
  const auto [least, most] = std::ranges::minmax(value);
  if (most - least > limits.step) return false;
  // Where f is steep, the rounding of x shows in it.
  const double size = std::max(std::abs(panel.left), std::abs(panel.left + panel.width));
  const double tolerance = limits.tolerance + rounding * size * (most - least) / panel.width;
  for (size_t i = 0; i < probes.size(); ++i) {
    double interpolated = 0;
    for (size_t j = 0; j < n; ++j) interpolated += probe_weights()[i][j] * value[j];
    if (!(std::abs(interpolated - f(panel.left + panel.width * probes[i])) <= tolerance)) return false;
  }
  return true;
}

/// Whether f deviates somewhere on a resolved panel from its interpolation.
bool overlooks(const Function& f, const Panel& panel, const MeshLimits& limits, double shortest, size_t& looks) {
  std::vector<Panel> open = {panel};
  while (!open.empty()) {
    const Panel part = open.back();
    open.pop_back();
    if (part.width <= shortest || limits.hidden(part.left, part.left + part.width) <= least_hidden) continue;
    const double half = part.width / 2, middle = part.left + half;
    if (looks == 0)
      fail("formulas must be so simple that no structure can be missed in them, got one that is not near x = {:.4g}",
           middle);
    --looks;
    double interpolated = 0;
    for (size_t j = 0; j < n; ++j)
      interpolated += lagrange(gauss_rule().node, j, (middle - panel.left) / panel.width) * f(panel.node(j));
    if (!(std::abs(interpolated - f(middle)) <= overlooked * limits.tolerance)) return true;
    open.push_back({middle, half});
    open.push_back({part.left, half});
  }
  return false;
}

}  // namespace

const GaussRule& gauss_rule() {
  static const GaussRule rule = make_rule();
  return rule;
}

std::vector<Panel> mesh(const Function& f, double from, double length, std::span<const double> breaks,
                        const MeshLimits& limits) {
  std::vector<double> edges;
  for (size_t i = 0; i <= at_first; ++i) edges.push_back(from + length * static_cast<double>(i) / at_first);
  for (const double place : breaks)
    if (place > from && place < from + length) edges.push_back(place);
  std::ranges::sort(edges);
  const double shortest = narrowest_hidden * length;
  size_t looks = most_looks;
  std::vector<Panel> panels, waiting;  // waiting: the leftmost last
  for (size_t i = edges.size() - 1; i > 0; --i)
    if (edges[i] > edges[i - 1]) waiting.push_back({edges[i - 1], edges[i] - edges[i - 1]});
  while (!waiting.empty()) {
    check_interruption();
    const Panel panel = waiting.back();
    waiting.pop_back();
    const auto hides = [&] { return limits.hidden && overlooks(f, panel, limits, shortest, looks); };
    if (panel.width <= narrowest * length || (resolved(f, panel, limits) && !hides())) {
      panels.push_back(panel);
    } else {
      const double half = panel.width / 2;
      waiting.push_back({panel.left + half, half});
      waiting.push_back({panel.left, half});
    }
    if (panels.size() + waiting.size() > limits.panels) return {};
  }
  return panels;
}

double magnitude(const Function& f, double from, double length) {
  constexpr int places = 400;
  double largest = 0;
  for (int i = 0; i < places; ++i) largest = std::max(largest, std::abs(f(from + length * (i + 0.4) / places)));
  return largest;
}

}  // namespace bmsim::theory
