#include "theory/fourier.h"

#include <algorithm>
#include <cmath>

#include "error.h"
#include "interruption.h"
#include "numbers.h"

namespace bmsim::theory {

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
