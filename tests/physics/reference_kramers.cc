// Escape and diffusion over the barriers of a sine: exact mean first passage times and their limits.
#include <algorithm>
#include <cmath>
#include <vector>

#include "reference_detail.h"
#include "reference_inertial.h"

namespace bmsim::reference {
namespace {

void check(double V0, double L, const Particle& particle) {
  require(V0 > 0, "V0 must be > 0", V0);
  require(L > 0, "L must be > 0", L);
  require(particle.m > 0, "m must be > 0", particle.m);
  require(particle.gamma > 0, "gamma must be > 0", particle.gamma);
  require(particle.T > 0, "T must be > 0", particle.T);
}

/// s(y) = int_from^y exp((U - top) / D), cut into panels; weighted() is int exp(-(U - top) / D) s over all of them.
template <class Energy> struct Side {
  double from, width, top, D;
  int panels;
  const Energy& U;

  double climb(double a, double b) const {
    return integrate(a, b, [&](double x) { return std::exp((U(x) - top) / D); });
  }
  double total() const {
    double sum = 0;
    for (int i = 0; i < panels; ++i) sum += climb(from + i * width, from + (i + 1) * width);
    return sum;
  }
  double weighted() const {
    double below = 0, sum = 0;
    for (int i = 0; i < panels; ++i) {
      const double a = from + i * width, b = from + (i + 1) * width;
      sum += integrate(a, b, [&](double y) { return std::exp((top - U(y)) / D) * (below + climb(a, y)); });
      below += climb(a, b);
    }
    return sum;
  }
};

/// Closed orbit in a well of the sine at the energy V0 (2 k2 - 1), 0 < k2 < 1, l2 = 1 - k2: its action.
double closed_action(double V0, double L, double m, double k2, double l2) {
  const double k = std::sqrt(k2);
  return 8 * L * std::sqrt(m * V0) / pi * (std::comp_ellint_2(k) - l2 * std::comp_ellint_1(k));
}

}  // namespace

Exit mean_exit(const std::function<double(double)>& V, double F, double D, double a, double x0, double b, int panels) {
  require(D > 0, "D must be > 0", D);
  require(a < x0 && x0 < b, "x0 must be inside of (a, b)", x0);
  const auto U = [&](double x) { return V(x) - F * x; };
  double top = U(a);  // taken off so that exponentials stay small
  for (int i = 0; i <= 4 * panels; ++i) top = std::max(top, U(a + (b - a) * i / (4 * panels)));
  const Side<decltype(U)> left{a, (x0 - a) / panels, top, D, panels, U};
  const Side<decltype(U)> right{b, (x0 - b) / panels, top, D, panels, U};  // backwards: both integrals change sign
  const double s_left = left.total(), s_right = -right.total(), s = s_left + s_right;
  return {(s_right / s * left.weighted() + s_left / s * right.weighted()) / D, s_left / s};
}

double sine_frequency(double V0, double L, double m) { return 2 * pi / L * std::sqrt(V0 / m); }

double kramers_overdamped(double V0, double L, double gamma, double T) {
  check(V0, L, {1, gamma, T});
  return 2 * pi * V0 / (gamma * L * L) * std::exp(-2 * V0 / T);
}

double kramers_inertial_factor(double V0, double L, const Particle& particle) {
  check(V0, L, particle);
  const double c = particle.gamma / (2 * particle.m * sine_frequency(V0, L, particle.m));
  return 2 * c / (std::sqrt(1 + c * c) + c);
}

double sine_barrier_action(double V0, double L, double m) { return 8 * L * std::sqrt(m * V0) / pi; }

double energy_diffusion_time(double V0, double L, const Particle& particle) {
  check(V0, L, particle);
  const auto& [m, gamma, T] = particle;
  const double omega = sine_frequency(V0, L, m), range = 2 * V0;
  // (m / (gamma T)) int dE exp(E / T) / I(E) int_{-V0}^E dE' T_p(E') exp(-E' / T), E = V0 - range u^2: the logarithms
  // of the period T_p and of I at u = 0 lose their force. Energies above the bottom: range (1 - u^2) = range k2.
  constexpr int panels = 200;
  const auto occupied = [&](double u) {
    const double k2 = 1 - u * u;
    return 4 / omega * std::comp_ellint_1(std::sqrt(k2)) * std::exp(-range * k2 / T) * 2 * range * u;
  };
  double below = 0, sum = 0;  // from the bottom, u = 1, upwards
  for (int i = panels; i > 0; --i) {
    const double deep = static_cast<double>(i) / panels, high = static_cast<double>(i - 1) / panels;
    sum += integrate(high, deep, [&](double u) {
      const double k2 = 1 - u * u, inner = below + integrate(u, deep, occupied);
      return std::exp(range * k2 / T) / closed_action(V0, L, m, k2, u * u) * inner * 2 * range * u;
    });
    below += integrate(high, deep, occupied);
  }
  return m / (gamma * T) * sum;
}

double kramers_low_friction(double V0, double L, const Particle& particle) {
  check(V0, L, particle);
  const auto& [m, gamma, T] = particle;
  const double action = sine_barrier_action(V0, L, m);
  return gamma * action * sine_frequency(V0, L, m) / (2 * pi * m * T) * std::exp(-2 * V0 / T);
}

double inertial_diffusion_high_friction(double V0, const Particle& particle) {
  check(V0, 1, particle);
  return lifson_jackson(V0, particle.T) / particle.gamma;
}

double inertial_diffusion_low_friction(double V0, double L, const Particle& particle) {
  check(V0, L, particle);
  const auto& [m, gamma, T] = particle;
  // E = V0 + T u^2; I(E) = (2 L / pi) sqrt(2 m (E + V0)) E(kappa), kappa^2 = 2 V0 / (E + V0).
  const double integral = integrate(0, 7, 200, [&](double u) {
    const double above = 2 * V0 + T * u * u;
    const double action = 2 * L / pi * std::sqrt(2 * m * above) * std::comp_ellint_2(std::sqrt(2 * V0 / above));
    return 2 * T * u * std::exp(-u * u) / action;
  });
  const double Z = std::sqrt(2 * pi * m * T) * L * std::cyl_bessel_i(0.0, V0 / T);
  return 2 * L * L * m * T / (gamma * Z) * std::exp(-V0 / T) * integral;
}

}  // namespace bmsim::reference
