#include "theory/fourier.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "interruption.h"

namespace bmsim::theory {

FourierForce harmonics(const Landscape& landscape, int most, double energy) {
  constexpr double two_pi = 6.283185307179586476925, negligible = 1e-13;
  const double L = landscape.period, largest = magnitude(landscape.force, 0, L);
  FourierForce series{L, std::vector<std::complex<double>>(static_cast<size_t>(most) + 1)};
  if (largest == 0) return {L, {0}};
  const auto panels =
      mesh(landscape.force, 0, L, landscape.breaks, {1e-12 * largest, INFINITY, landscape.hidden_force(energy)});
  if (panels.empty()) fail("the force of the potential must be resolved by 200000 pieces, got more");
  const GaussRule& rule = gauss_rule();
  for (const Panel& whole : panels) {
    const double parts = std::ceil(whole.width / L * most);  // at most one wave each
    for (double part = 0; part < parts; ++part) {
      const Panel panel{whole.left + whole.width * part / parts, whole.width / parts};
      check_interruption();
      for (size_t i = 0; i < gauss_points; ++i) {
        const double x = panel.node(i);
        const std::complex<double> turn = std::polar(1.0, -two_pi * x / L);
        std::complex<double> term = rule.weight[i] * panel.width / L * landscape.force(x);
        for (auto& one : series.coefficient) {
          one += term;
          term *= turn;
        }
      }
    }
  }
  double top = 0;
  for (const auto& one : series.coefficient) top = std::max(top, std::abs(one));
  series.coefficient[0] = 0;  // V is periodic
  while (series.coefficient.size() > 1 && std::abs(series.coefficient.back()) < negligible * top)
    series.coefficient.pop_back();
  return series;
}

}  // namespace bmsim::theory
