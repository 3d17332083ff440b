// Closed forms: PHYSICS of the paper's two models without Gaussian noise, cumulants of linear systems, weak order.
#include "reference.h"

#include <cmath>

#include "reference_detail.h"

namespace bmsim::reference {
namespace {

/// (P - M) / ((P - 1)(M - 1)) for P = exp(plus), M = exp(minus), written so that large exponents give 0.
double current(double plus, double minus) { return 1 / std::expm1(minus) - 1 / std::expm1(plus); }

}  // namespace

double PiecewiseLinear::energy(double x) const {
  const double u = x / L + k - std::floor(x / L + k);  // from the minimum, in periods
  return u < k ? V0 * u / k : V0 * (1 - u) / (1 - k);
}

double poisson_velocity(double D, double a) {
  require(D > 0, "D must be > 0", D);
  require(a > 1, "a must be > 1", a);
  return current(a / (D * (a - 1)), a / (D * (a + 1))) / (2 * D);
}

double dichotomous_velocity(double Fa, double Fb, double tau) {
  require(Fa > 1, "Fa must be > 1", Fa);
  require(Fb > 1, "Fb must be > 1", Fb);
  require(tau > 0, "tau must be > 0", tau);
  return -current(1 / ((Fa + 1) * (Fb - 1) * tau), 1 / ((Fa - 1) * (Fb + 1) * tau)) / (2 * Fa * Fb * tau);
}

double lifson_jackson(double V0, double D) {
  require(D > 0, "D must be > 0", D);
  const double I0 = std::cyl_bessel_i(0.0, std::abs(V0) / D);
  return D / (I0 * I0);
}

// Noise of cumulants c_n per unit time gives dx/dt = -k x + noise the stationary cumulants c_n / (n k).
Cumulants harmonic_gaussian(double k, double D) { return {0, D / k, 0, 0}; }

Cumulants harmonic_poisson(double k, const PoissonNoise& noise) {
  const double shape = noise.lambda() / k, zeta = noise.zeta();
  return {0, shape * zeta * zeta, 2 * shape * std::pow(zeta, 3), 6 * shape * std::pow(zeta, 4)};
}

Cumulants harmonic_dichotomous(double k, double F, double r) {
  const double variance = F * F / (k * (k + 2 * r));
  return {0, variance, 0, -6 * variance * variance * k / (2 * r + 3 * k)};
}

Cumulants free_gaussian(double D, double t) { return {0, 2 * D * t, 0, 0}; }

Cumulants free_poisson(const PoissonNoise& noise, double t) {
  const double kicks = noise.lambda() * t, zeta = noise.zeta();
  return {0, 2 * kicks * zeta * zeta, 6 * kicks * std::pow(zeta, 3), 24 * kicks * std::pow(zeta, 4)};
}

double free_dichotomous_variance(double Fa, double Fb, double tau, double t) {
  return 2 * Fa * Fb * tau * (t + tau * std::expm1(-t / tau));
}

WeakOrder fit_weak_order(std::span<const BiasPoint> points) {
  double weight = 0, mean_x = 0, mean_y = 0;
  for (const auto& [h, bias, error] : points) {
    require(h > 0, "h must be > 0", h);
    require(std::abs(bias) > 0, "bias must not be 0 or NaN", bias);
    require(error > 0, "error must be > 0", error);
    const double w = bias * bias / (error * error);
    weight += w;
    mean_x += w * std::log(h);
    mean_y += w * std::log(std::abs(bias));
  }
  mean_x /= weight;
  mean_y /= weight;
  double xx = 0, xy = 0, yy = 0;
  for (const auto& [h, bias, error] : points) {
    const double w = bias * bias / (error * error);
    const double dx = std::log(h) - mean_x, dy = std::log(std::abs(bias)) - mean_y;
    xx += w * dx * dx;
    xy += w * dx * dy;
    yy += w * dy * dy;
  }
  require(points.size() >= 2 && xx > 1e-12 * weight, "a fit needs two different h", static_cast<double>(points.size()));
  const double order = xy / xx;
  return {order, 1 / std::sqrt(xx), std::exp(mean_y - order * mean_x), yy - order * xy};
}

}  // namespace bmsim::reference
