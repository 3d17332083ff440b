#include "theory/stratonovich.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "theory/log_sum.h"

namespace bmsim::theory {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

/// exp(sign U/D) on the panels of a period: its integrals, as logarithms.
struct Weight {
  std::vector<double> before, after;  ///< over all panels before number i, and over it and all after it
  /// From the left end of panel i to node j of it, and from there to its right end; index i gauss_points + j.
  std::vector<double> left, right;
  double total() const { return before.back(); }

  Weight(const std::vector<Panel>& panels, const std::vector<double>& U, double sign)
      : before(panels.size() + 1, -infinity), after(panels.size() + 1, -infinity), left(U.size()), right(U.size()) {
    const GaussRule& rule = gauss_rule();
    std::vector<double> whole(panels.size());
    std::array<double, gauss_points> f{};
    for (size_t i = 0; i < panels.size(); ++i) {
      const auto first = U.begin() + static_cast<std::ptrdiff_t>(i * gauss_points);
      const auto [low, high] = std::minmax_element(first, first + gauss_points);
      const double top = sign > 0 ? *high : -*low;
      double sum = 0;
      for (size_t j = 0; j < gauss_points; ++j)
        sum += rule.weight[j] * (f[j] = std::exp(sign * first[static_cast<std::ptrdiff_t>(j)] - top));
      whole[i] = top + std::log(panels[i].width * sum);
      for (size_t j = 0; j < gauss_points; ++j) {
        double part = 0;
        for (size_t k = 0; k < gauss_points; ++k) part += rule.partial[j][k] * f[k];
        left[i * gauss_points + j] = top + std::log(panels[i].width * part);
        right[i * gauss_points + j] = top + std::log(panels[i].width * (sum - part));
      }
      before[i + 1] = log_add(before[i], whole[i]);
    }
    for (size_t i = panels.size(); i > 0; --i) after[i - 1] = log_add(after[i], whole[i - 1]);
  }
  double up_to(size_t i, size_t j) const { return log_add(before[i], left[i * gauss_points + j]); }
  double beyond(size_t i, size_t j) const { return log_add(after[i + 1], right[i * gauss_points + j]); }
};

struct Resolved {
  std::vector<Panel> panels;
  std::vector<double> U;  ///< over D, at all nodes
};

Resolved resolve(const Landscape& landscape, double force, double D) {
  const double L = landscape.period;
  const Function U = [&](double x) { return landscape.energy(x) - force * x; };
  const double height = magnitude(U, 0, L);
  Resolved made{mesh(U, 0, L, landscape.breaks, {std::max(1e-10 * D, 1e-13 * height), 4 * D}), {}};
  if (made.panels.empty()) fail("D must be larger against the height {:.4g} of the potential, got {}", height, D);
  for (const Panel& panel : made.panels)
    for (size_t j = 0; j < gauss_points; ++j) made.U.push_back(U(panel.node(j)) / D);
  return made;
}

}  // namespace

Transport stratonovich(const Landscape& landscape, double force, double D) {
  if (force < 0) {
    const Transport other = stratonovich(landscape.mirrored(), -force, D);
    return {-other.v, other.D_eff};
  }
  const double L = landscape.period, lost = force * L / D;  // U falls by that much, over D, in a period
  const auto [panels, U] = resolve(landscape, force, D);
  const Weight down(panels, U, -1), up(panels, U, 1);
  LogSum first, second;  // int I+ and int I+^2 I-, without their powers of D
  for (size_t i = 0; i < panels.size(); ++i) {
    for (size_t j = 0; j < gauss_points; ++j) {
      const double here = U[i * gauss_points + j];
      const double plus = here + log_add(down.up_to(i, j), down.beyond(i, j) - lost);
      const double minus = -here + log_add(up.beyond(i, j), up.up_to(i, j) - lost);
      const double weight = std::log(panels[i].width * gauss_rule().weight[j]);
      first.add(weight + plus);
      second.add(weight + 2 * plus + minus);
    }
  }
  const double v = force > 0 ? std::exp(std::log(L * D) + log_one_less(lost) - first.log()) : 0;
  return {v, std::exp(std::log(D * L * L) + second.log() - 3 * first.log())};
}

double lifson_jackson(const Landscape& landscape, double D) {
  const auto [panels, U] = resolve(landscape, 0, D);
  const double up = Weight(panels, U, 1).total(), down = Weight(panels, U, -1).total();
  return std::exp(std::log(D) + 2 * std::log(landscape.period) - up - down);
}

}  // namespace bmsim::theory
