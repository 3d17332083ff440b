#include "theory/stratonovich.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "error.h"
#include "interruption.h"
#include "numbers.h"
#include "theory/log_sum.h"

namespace bmsim::theory {
namespace {

/// Integrals of exp(E) over panels of a period, as logarithms. E is given at all nodes.
struct Weight {
  std::vector<double> before, after;  ///< [i]: over all panels before panel i; over panel i and all after it
  /// [i gauss_points + j]: from the left end of panel i to its node j; from there to its right end.
  std::vector<double> left, right;
  double total() const { return before.back(); }

  Weight(const std::vector<Panel>& panels, const std::vector<double>& E)
      : before(panels.size() + 1, -infinity), after(panels.size() + 1, -infinity), left(E.size()), right(E.size()) {
    const GaussRule& rule = gauss_rule();
    std::vector<double> of_panel(panels.size());
    std::array<double, gauss_points> f{};
    for (size_t i = 0; i < panels.size(); ++i) {
      const std::span<const double> at_nodes(&E[i * gauss_points], gauss_points);
      const double top = std::ranges::max(at_nodes);
      double sum = 0;
      for (size_t j = 0; j < gauss_points; ++j) sum += rule.weight[j] * (f[j] = std::exp(at_nodes[j] - top));
      of_panel[i] = top + std::log(panels[i].width * sum);
      for (size_t j = 0; j < gauss_points; ++j) {
        double part = 0;
        for (size_t k = 0; k < gauss_points; ++k) part += rule.partial[j][k] * f[k];
        left[i * gauss_points + j] = top + std::log(panels[i].width * part);
        right[i * gauss_points + j] = top + std::log(panels[i].width * (sum - part));
      }
      before[i + 1] = log_add(before[i], of_panel[i]);
    }
    for (size_t i = panels.size(); i > 0; --i) after[i - 1] = log_add(after[i], of_panel[i - 1]);
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
  Resolved resolved{
      mesh(U, 0, L, landscape.breaks, {std::max(1e-10 * D, 1e-13 * height), 4 * D, landscape.hidden_energy(D)}), {}};
  if (resolved.panels.empty()) fail("D must be larger against the height {:.4g} of the potential, got {}", height, D);
  for (const Panel& panel : resolved.panels)
    for (size_t j = 0; j < gauss_points; ++j) resolved.U.push_back(U(panel.node(j)) / D);
  return resolved;
}

std::vector<double> negative(std::vector<double> E) {
  for (double& value : E) value = -value;
  return E;
}

/// Logarithms of exp(-U) dy/dx, exp(U) dy/dx and dy/dx at the nodes; and U, which falls by `lost` in a period. Where
/// y = x, energies are in units of D.
struct Integrands {
  std::vector<double> down, up, measure, U;
  double lost;
};

/// v / L and D_eff / L^2; where y = x, both over D.
Transport transport(const std::vector<Panel>& panels, const Integrands& f) {
  const Weight down(panels, f.down), up(panels, f.up);
  LogSum first, second;  // int I+ and int I+^2 I-
  for (size_t i = 0; i < panels.size(); ++i) {
    check_interruption();
    for (size_t j = 0; j < gauss_points; ++j) {
      const size_t node = i * gauss_points + j;
      const double plus = f.U[node] + log_add(down.up_to(i, j), down.beyond(i, j) - f.lost);
      const double minus = -f.U[node] + log_add(up.beyond(i, j), up.up_to(i, j) - f.lost);
      const double weight = std::log(panels[i].width * gauss_rule().weight[j]) + f.measure[node];
      first.add(weight + plus);
      second.add(weight + 2 * plus + minus);
    }
  }
  const double v = f.lost == 0 ? 0 : -std::expm1(-f.lost) * std::exp(-first.log());
  return {v, std::exp(second.log() - 3 * first.log())};
}

/// Panels on which log D and drift/D are polynomials, and psi changes by less than 2.
std::vector<Panel> panels_of(const DiffusingMotion& motion) {
  const double L = motion.period;
  const Function log_D = [&](double x) { return std::log(motion.diffusion(x)); };
  const Function slope = [&](double x) { return motion.drift(x) / motion.diffusion(x); };
  const double steepest = magnitude(slope, 0, L);
  std::vector<double> breaks = motion.breaks;
  const std::vector<Panel> diffusion_panels = mesh(log_D, 0, L, motion.breaks, {1e-11, 2, motion.hidden});
  if (diffusion_panels.empty()) fail("D of the noise must be resolved by {} pieces, got more", MeshLimits{}.panels);
  for (const Panel& panel : diffusion_panels) breaks.push_back(panel.left);
  std::vector<Panel> panels;
  for (const Panel& panel :
       mesh(slope, 0, L, breaks, {std::max(1e-10 / L, 1e-13 * steepest), INFINITY, motion.hidden})) {
    double most = 0;
    for (size_t j = 0; j < gauss_points; ++j) most = std::max(most, std::abs(slope(panel.node(j))) * panel.width);
    const double parts = std::ceil(1 + most / 2);
    for (double part = 0; part < parts && panels.size() < MeshLimits{}.panels; ++part)
      panels.push_back({panel.left + panel.width * part / parts, panel.width / parts});
  }
  if (panels.empty() || panels.size() >= MeshLimits{}.panels)
    fail("drift/D must be resolved by {} pieces, up to {:.4g}: a larger D", MeshLimits{}.panels, steepest);
  return panels;
}

void check_diffusion(const DiffusingMotion& motion) {
  constexpr int places = 4000;
  for (int i = 0; i < places; ++i) {
    const double x = motion.period * (i / static_cast<double>(places) - 0.5), D = motion.diffusion(x);
    if (!(D > 0 && std::isfinite(D))) fail("D of the noise must be > 0 everywhere, got {} at x = {:.6g}", D, x);
  }
}

}  // namespace

Transport stratonovich(const Landscape& landscape, double force, double D) {
  if (force < 0) {
    const auto [v, D_eff] = stratonovich(landscape.mirrored(), -force, D);
    return {-v, D_eff};
  }
  const double L = landscape.period;
  const auto [panels, U] = resolve(landscape, force, D);
  const auto [v, D_eff] = transport(panels, {negative(U), U, std::vector<double>(U.size(), 0.0), U, force * L / D});
  return {v * D * L, D_eff * D * L * L};
}

double lifson_jackson(const Landscape& landscape, double D) {
  const auto [panels, U] = resolve(landscape, 0, D);
  const double up = Weight(panels, U).total(), down = Weight(panels, negative(U)).total();
  return std::exp(std::log(D) + 2 * std::log(landscape.period) - up - down);
}

// ---- noise with an amplitude ----

DiffusingMotion DiffusingMotion::mirrored() const {
  DiffusingMotion mirror{[f = drift](double x) { return -f(-x); }, [D = diffusion](double x) { return D(-x); }, period};
  for (const double place : breaks) mirror.breaks.push_back(place > 0 ? period - place : 0);
  if (hidden) mirror.hidden = [f = hidden, L = period](double from, double to) { return f(L - to, L - from); };
  return mirror;
}

Transport stratonovich(const DiffusingMotion& motion) {
  check_diffusion(motion);
  const std::vector<Panel> panels = panels_of(motion);
  Integrands f{};
  double psi = 0;
  for (const Panel& panel : panels) {
    std::array<double, gauss_points> slope{}, log_D{};
    for (size_t j = 0; j < gauss_points; ++j) {
      const double x = panel.node(j), D = motion.diffusion(x);
      slope[j] = -motion.drift(x) / D;
      log_D[j] = std::log(D);
    }
    double change = 0;
    for (size_t j = 0; j < gauss_points; ++j) {
      double psi_j = psi;
      for (size_t k = 0; k < gauss_points; ++k) psi_j += panel.width * gauss_rule().partial[j][k] * slope[k];
      change += panel.width * gauss_rule().weight[j] * slope[j];
      f.down.push_back(-psi_j - log_D[j]);
      f.up.push_back(psi_j);
      f.measure.push_back(-log_D[j] / 2);
      f.U.push_back(psi_j + log_D[j] / 2);
    }
    psi += change;
  }
  if (psi > 1e-9) {  // uphill; a smaller psi may be rounding
    const auto [v, D_eff] = stratonovich(motion.mirrored());
    return {-v, D_eff};
  }
  f.lost = -psi;
  const auto [v, D_eff] = transport(panels, f);
  return {v * motion.period, D_eff * motion.period * motion.period};
}

}  // namespace bmsim::theory
