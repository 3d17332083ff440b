// Cumulants against the moments of their laws, and the fit of weak orders.
#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <stdexcept>

#include "reference.h"

using doctest::Approx;
using namespace bmsim::reference;

namespace {

auto relative(double value, double tolerance) { return Approx(value).epsilon(tolerance).scale(0); }

/// Cumulants of the density on [from, to], by the midpoint rule (the densities used vanish at both ends).
template <class Density> Cumulants moments(double from, double to, const Density& density) {
  constexpr int points = 400000;
  std::array<double, 5> raw{};
  for (int n = 0; n < points; ++n) {
    const double x = from + (to - from) * (n + 0.5) / points, p = density(x);
    for (size_t power = 0; power < raw.size(); ++power) raw[power] += p * std::pow(x, static_cast<double>(power));
  }
  const double mean = raw[1] / raw[0], m2 = raw[2] / raw[0], m3 = raw[3] / raw[0], m4 = raw[4] / raw[0];
  const double variance = m2 - mean * mean;
  const double third = m3 - 3 * mean * m2 + 2 * mean * mean * mean;
  const double central = m4 - 4 * mean * m3 + 6 * mean * mean * m2 - 3 * std::pow(mean, 4);
  return {mean, variance, third, central - 3 * variance * variance};
}

}  // namespace

TEST_CASE("harmonic V, Poissonian noise: the cumulants are those of the Gamma law") {
  const PoissonNoise noise{.D = 1, .a = 2.5};
  const double k = 0.8, shape = noise.lambda() / k, zeta = noise.zeta();
  const auto law = moments(0, 60 * zeta, [&](double y) { return std::pow(y, shape - 1) * std::exp(-y / zeta); });
  const auto cumulants = harmonic_poisson(k, noise);
  CHECK(cumulants.mean == 0);
  CHECK(law.mean == relative(noise.a / k, 1e-8));
  CHECK(cumulants.variance == relative(noise.D / k, 1e-12));
  CHECK(cumulants.variance == relative(law.variance, 1e-8));
  CHECK(cumulants.third == relative(law.third, 1e-8));
  CHECK(cumulants.fourth == relative(law.fourth, 1e-7));
}

TEST_CASE("harmonic V, dichotomous noise: the cumulants are those of the symmetric Beta law") {
  const double k = 0.8, F = 1.5, r = 2.4;
  const auto law = moments(-F / k, F / k, [&](double x) { return std::pow(1 - std::pow(k * x / F, 2), r / k - 1); });
  const auto cumulants = harmonic_dichotomous(k, F, r);
  CHECK(cumulants.variance == relative(F * F / (k * (k + 2 * r)), 1e-14));
  CHECK(cumulants.variance == relative(law.variance, 1e-8));
  CHECK(cumulants.third == 0);
  CHECK(cumulants.fourth == relative(law.fourth, 1e-7));
}

TEST_CASE("harmonic V and free particle: Gaussian cumulants, and the noises meet in their Gaussian limits") {
  CHECK(harmonic_gaussian(0.8, 0.4).variance == relative(0.5, 1e-14));
  CHECK(harmonic_gaussian(0.8, 0.4).fourth == 0);
  CHECK(free_gaussian(0.4, 3).variance == relative(2.4, 1e-14));
  CHECK(harmonic_poisson(0.8, {.D = 0.4, .a = 1e6}).third < 1e-6);
  const double r = 1e8, F = std::sqrt(2 * r * 0.4);  // D_D = F^2 / (2 r)
  CHECK(harmonic_dichotomous(0.8, F, r).variance == relative(0.5, 1e-7));
}

TEST_CASE("free particle, Poissonian noise: cumulants are lambda t n! zeta^n") {
  const auto cumulants = free_poisson({.D = 1, .a = 2.5}, 2);  // lambda = 6.25, zeta = 0.4
  CHECK(cumulants.mean == 0);
  CHECK(cumulants.variance == relative(4, 1e-12));
  CHECK(cumulants.third == relative(12.5 * 6 * 0.064, 1e-12));
  CHECK(cumulants.fourth == relative(12.5 * 24 * 0.0256, 1e-12));
}

TEST_CASE("free particle, dichotomous noise: ballistic at first, diffusive later") {
  const double Fa = 3, Fb = 1.6, tau = 0.2, D = Fa * Fb * tau;
  CHECK(free_dichotomous_variance(Fa, Fb, tau, 0) == 0);
  CHECK(free_dichotomous_variance(Fa, Fb, tau, 1e-4) == relative(Fa * Fb * 1e-8, 1e-3));
  CHECK(free_dichotomous_variance(Fa, Fb, tau, 100) == relative(2 * D * (100 - tau), 1e-12));
  CHECK(free_dichotomous_variance(Fa, Fb, tau, 0.2) == relative(2 * D * tau * std::exp(-1), 1e-12));
}

TEST_CASE("weak order: an exact power law is recovered with the error that the weights imply") {
  const std::array<BiasPoint, 3> points{{{0.4, -0.48, 0.048}, {0.2, -0.12, 0.012}, {0.1, -0.03, 0.003}}};  // 10 % each
  const auto fit = fit_weak_order(points);
  CHECK(fit.order == relative(2, 1e-12));
  CHECK(fit.prefactor == relative(3, 1e-12));
  CHECK(fit.error == relative(0.1 / (std::log(2) * std::sqrt(2)), 1e-12));
  CHECK(fit.chi_square < 1e-20);
}

TEST_CASE("weak order: precise points decide, a bent law shows in chi square") {
  const std::array<BiasPoint, 3> points{{{0.4, 0.4, 1e-4}, {0.2, 0.2, 1e-4}, {0.1, 0.05, 0.05}}};
  const auto fit = fit_weak_order(points);
  CHECK(fit.order == Approx(1).epsilon(1e-5));
  CHECK(fit.chi_square == Approx(std::pow(std::log(2), 2)).epsilon(1e-3));  // one point off by log 2 with error 1
  const std::array<BiasPoint, 3> bent{{{0.4, 0.4, 1e-4}, {0.2, 0.2, 1e-4}, {0.1, 0.05, 1e-4}}};
  CHECK(fit_weak_order(bent).chi_square > 1000);
}

TEST_CASE("weak order: what cannot be fitted is refused") {
  using Points = std::array<BiasPoint, 2>;
  CHECK_THROWS_AS(fit_weak_order(Points{{{0.1, 0.1, 0.01}, {0.1, 0.1, 0.01}}}), std::invalid_argument);
  CHECK_THROWS_AS(fit_weak_order(Points{{{0.2, 0.0, 0.01}, {0.1, 0.1, 0.01}}}), std::invalid_argument);
  CHECK_THROWS_AS(fit_weak_order(Points{{{0.2, 0.1, 0.0}, {0.1, 0.1, 0.01}}}), std::invalid_argument);
  CHECK_THROWS_AS(fit_weak_order({}), std::invalid_argument);
}
