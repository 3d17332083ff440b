// What the references share: refusal of illegal values, Gauss-Legendre quadrature.
#pragma once
#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace bmsim::reference {

inline const double pi = std::acos(-1.0);

inline void require(bool holds, const char* rule, double value) {
  if (!holds) throw std::invalid_argument(std::string("reference: ") + rule + ", got " + std::to_string(value));
}

constexpr int gauss_points = 12;

struct GaussLegendre {
  std::array<double, gauss_points> node, weight;  // on [0, 1]

  GaussLegendre() {
    for (int i = 0; i < gauss_points; ++i) {
      double x = std::cos(std::acos(-1.0) * (i + 0.75) / (gauss_points + 0.5)), slope = 1;
      for (int iteration = 0; iteration < 8; ++iteration) {  // Newton on the Legendre polynomial
        const double p = std::legendre(gauss_points, x);
        slope = gauss_points * (x * p - std::legendre(gauss_points - 1, x)) / (x * x - 1);
        x -= p / slope;
      }
      const auto n = static_cast<size_t>(i);
      node[n] = (1 + x) / 2;
      weight[n] = 1 / ((1 - x * x) * slope * slope);
    }
  }
};

template <class Integrand> double integrate(double from, double to, const Integrand& integrand) {
  static const GaussLegendre rule;
  double sum = 0;
  for (size_t i = 0; i < gauss_points; ++i) sum += rule.weight[i] * integrand(from + (to - from) * rule.node[i]);
  return sum * (to - from);
}

/// In `panels` equal parts.
template <class Integrand> double integrate(double from, double to, int panels, const Integrand& integrand) {
  const double width = (to - from) / panels;
  double sum = 0;
  for (int i = 0; i < panels; ++i) sum += integrate(from + i * width, from + (i + 1) * width, integrand);
  return sum;
}

}  // namespace bmsim::reference
