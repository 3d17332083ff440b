// Gaussian noise in a tilted periodic potential, by Gauss-Legendre quadrature of
//   I+-(x) = (1/D) int_0^L dz exp{[+-U(x) -+ U(x -+ z)]/D},  U = V - F x
//   v = L (1 - exp(-F L/D)) / int_0^L I+,   D_eff = D L^2 int I+^2 I- / (int I+)^3
// Reimann, Van den Broeck, Linke, Haenggi, Rubi, Perez-Madrid, PRL 87 (2001) 010602.
#include <cmath>
#include <stdexcept>

#include "reference.h"
#include "reference_detail.h"

namespace bmsim::reference {
namespace {

/// int over [from, from + L], cut at every multiple of `width` so that a kink there costs nothing.
template <class Integrand> double integrate_period(double from, int panels, double width, const Integrand& integrand) {
  const double first = std::floor(from / width) + 1;
  double sum = integrate(from, first * width, integrand);
  for (int i = 1; i < panels; ++i) sum += integrate((first + i - 1) * width, (first + i) * width, integrand);
  return sum + integrate((first + panels - 1) * width, from + panels * width, integrand);
}

}  // namespace

Transport stratonovich(const std::function<double(double)>& V, double F, double D, double L, int panels) {
  if (!(D > 0)) throw std::invalid_argument("stratonovich: D must be > 0, got " + std::to_string(D));
  if (!(L > 0)) throw std::invalid_argument("stratonovich: L must be > 0, got " + std::to_string(L));
  if (F < 0) {  // mirrored, so that no exponential overflows
    const auto mirrored = stratonovich([&V](double x) { return V(-x); }, -F, D, L, panels);
    return {-mirrored.v, mirrored.D_eff};
  }
  const double width = L / panels;
  const auto I_plus = [&](double x, double V_x) {
    const auto integrand = [&](double s) { return std::exp((V_x - V(s) - F * (x - s)) / D); };
    return integrate_period(x - L, panels, width, integrand) / D;
  };
  const auto I_minus = [&](double x, double V_x) {
    const auto integrand = [&](double s) { return std::exp((V(s) - V_x - F * (s - x)) / D); };
    return integrate_period(x, panels, width, integrand) / D;
  };
  double first = 0, second = 0;  // int I+ and int I+^2 I-
  for (int i = 0; i < panels; ++i) {
    first += integrate(i * width, (i + 1) * width, [&](double x) { return I_plus(x, V(x)); });
    second += integrate(i * width, (i + 1) * width, [&](double x) {
      const double V_x = V(x), plus = I_plus(x, V_x);
      return plus * plus * I_minus(x, V_x);
    });
  }
  return {-L * std::expm1(-F * L / D) / first, D * L * L * second / (first * first * first)};
}

}  // namespace bmsim::reference
