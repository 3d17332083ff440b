// Noises: moments of kicks against their densities, stable laws against the known ones, Kubo-Anderson against
// dichotomous noise.
#include <doctest/doctest.h>

#include <cmath>
#include <complex>
#include <stdexcept>

#include "reference_detail.h"
#include "reference_noise.h"

using doctest::Approx;
using namespace bmsim::reference;

namespace {

auto relative(double value, double tolerance) { return Approx(value).epsilon(tolerance).scale(0); }
auto absolute(double value, double tolerance) { return Approx(value).epsilon(tolerance / (1 + std::abs(value))); }

template <class Density> void check_kicks(const KickLaw& law, double from, double to, const Density& density) {
  const auto moment = [&](int n) {
    return integrate(from, to, 200, [&](double z) { return std::pow(z, n) * density(z); });
  };
  CHECK(moment(0) == absolute(1, 1e-9));
  CHECK(law.first == absolute(moment(1), 1e-9));
  CHECK(law.second == absolute(moment(2), 1e-9));
  CHECK(law.third == absolute(moment(3), 1e-9));
  CHECK(law.fourth == absolute(moment(4), 1e-8));
}

void check_equal(std::complex<double> value, std::complex<double> expected, double tolerance) {
  CHECK(value.real() == absolute(expected.real(), tolerance));
  CHECK(value.imag() == absolute(expected.imag(), tolerance));
}

}  // namespace

TEST_CASE("kicks: moments are those of the density") {
  const double zeta = 0.4;
  check_kicks(KickLaw::exponential(zeta), 0, 60 * zeta, [&](double z) { return std::exp(-z / zeta) / zeta; });
  check_kicks(KickLaw::two_sided_exponential(zeta), -24, 24,
              [&](double z) { return std::exp(-std::abs(z) / zeta) / (2 * zeta); });
  check_kicks(KickLaw::uniform(zeta), 0, 2 * zeta, [&](double) { return 1 / (2 * zeta); });
  check_kicks(KickLaw::gaussian(0.7, 0.3), -3, 5,
              [](double z) { return std::exp(-std::pow((z - 0.7) / 0.3, 2) / 2) / (0.3 * std::sqrt(2 * pi)); });
  const auto constant = KickLaw::constant(-2);
  CHECK(constant.first == -2);
  CHECK(constant.second == 4);
  CHECK(constant.third == -8);
  CHECK(constant.fourth == 16);
}

TEST_CASE("shot noise: exponential kicks give the cumulants of Poissonian noise, uncompensated ones move the mean") {
  const PoissonNoise poisson{.D = 1, .a = 2.5};
  const ShotNoise shots{poisson.lambda(), KickLaw::exponential(poisson.zeta())};
  for (const auto& [here, there] : {std::pair{free_shots(shots, 2), free_poisson(poisson, 2)},
                                    std::pair{harmonic_shots(0.8, shots), harmonic_poisson(0.8, poisson)}}) {
    CHECK(here.mean == 0);
    CHECK(here.variance == relative(there.variance, 1e-12));
    CHECK(here.third == relative(there.third, 1e-12));
    CHECK(here.fourth == relative(there.fourth, 1e-12));
  }
  const ShotNoise raw{poisson.lambda(), KickLaw::exponential(poisson.zeta()), false};
  CHECK(free_shots(raw, 2).mean == relative(2 * poisson.a, 1e-12));
  CHECK(harmonic_shots(0.8, raw).mean == relative(poisson.a / 0.8, 1e-12));
  CHECK_THROWS_AS(free_shots({0, KickLaw::constant(1)}, 1), std::invalid_argument);
}

TEST_CASE("stable laws: normal, Cauchy, Levy and Landau, each by its density") {
  check_equal(stable_characteristic({.alpha = 2, .sigma = 0.7, .mu = 0.2}, 1.3),
              std::polar(std::exp(-std::pow(0.7 * 1.3, 2)), 0.26), 1e-14);
  check_equal(stable_characteristic({.alpha = 1, .sigma = 0.7}, -1.3), std::exp(-0.7 * 1.3), 1e-14);
  // Levy, alpha = 1/2, beta = 1: X = sigma / Z^2, Z normal; the path is turned by -pi / 8 into exponential decay.
  const double sigma = 0.7, k = 1.3;
  const std::complex<double> turn = std::polar(1.0, -pi / 8);
  const auto levy = [&](double r) {
    const auto z = turn * r;
    return turn * std::exp(-z * z / 2.0 + std::complex<double>{0, k * sigma} / (z * z)) * std::sqrt(2 / pi);
  };
  const auto phi = stable_characteristic({.alpha = 0.5, .beta = 1, .sigma = sigma}, k);
  CHECK(phi.real() == absolute(integrate(1e-3, 10, 400, [&](double r) { return levy(r).real(); }), 1e-9));
  CHECK(phi.imag() == absolute(integrate(1e-3, 10, 400, [&](double r) { return levy(r).imag(); }), 1e-9));
  // Landau, alpha = 1, beta = 1, sigma = pi / 2: density (1 / pi) int_0^inf exp(-t log t - x t) sin(pi t) dt.
  for (const double x : {-1.0, 0.5, 4.0}) {
    const double inverted = integrate(1e-12, 30, 400, [x](double q) {
      return (stable_characteristic({.alpha = 1, .beta = 1, .sigma = pi / 2}, q) * std::polar(1.0, -q * x)).real() / pi;
    });
    const double landau =
        integrate(1e-12, 40, 400, [x](double t) { return std::exp(-t * std::log(t) - x * t) * std::sin(pi * t) / pi; });
    CHECK(inverted == absolute(landau, 1e-7));
  }
}

TEST_CASE("stable laws: increments are convolution powers, the harmonic law is the integral over the past") {
  for (const auto& law : {Stable{1.5, 0.6, 0.8, 0.3}, Stable{1, 0.6, 0.8, 0.3}, Stable{0.7, -1, 1, 0}}) {
    const double q = -1.7;
    check_equal(stable_characteristic(stable_increment(law, 3), q), std::pow(stable_characteristic(law, q), 3), 1e-12);
  }
  const Stable law{1.5, 0.6, 0.8, 0.3};
  const auto log_phi = [&](double t) { return std::log(stable_characteristic(law, 0.9 * std::exp(-0.4 * t))); };
  const std::complex<double> past{integrate(0, 120, 200, [&](double t) { return log_phi(t).real(); }),
                                  integrate(0, 120, 200, [&](double t) { return log_phi(t).imag(); })};
  check_equal(stable_characteristic(stable_harmonic(0.4, law), 0.9), std::exp(past), 1e-10);
  CHECK_THROWS_AS(stable_harmonic(0.4, {.alpha = 1, .beta = 0.5}), std::invalid_argument);
  CHECK_THROWS_AS(stable_increment({.alpha = 2.1}, 1), std::invalid_argument);
}

TEST_CASE("stable laws: fractional moments of the normal and the Cauchy law, and of 3/2 from 1 - phi") {
  CHECK(stable_moment({.alpha = 2, .sigma = 0.7}, 2) == relative(2 * 0.49, 1e-13));
  CHECK(stable_moment({.alpha = 2, .sigma = 0.7}, 4) == relative(3 * std::pow(2 * 0.49, 2), 1e-13));
  CHECK(stable_moment({.alpha = 1, .sigma = 2}, 0.6) == relative(std::pow(2, 0.6) / std::cos(0.3 * pi), 1e-13));
  CHECK(stable_moment({.alpha = 1.3}, 0) == relative(1, 1e-13));
  const double p = 0.5;  // <|X|^p> = p / [Gamma(1 - p) cos(pi p / 2)] int (1 - phi(k)) k^(-1 - p) dk, k = exp(s)
  const double integral =
      integrate(-40, 40, 400, [&](double s) { return -std::expm1(-std::exp(1.5 * s)) * std::exp(-p * s); });
  CHECK(stable_moment({.alpha = 1.5}, p) == relative(p / std::tgamma(1 - p) / std::cos(pi * p / 2) * integral, 1e-8));
  CHECK_THROWS_AS(stable_moment({.alpha = 1.5}, 1.5), std::invalid_argument);
  CHECK_THROWS_AS(stable_moment({.alpha = 1.5, .beta = 1}, 0.5), std::invalid_argument);
}

TEST_CASE("stable laws: tails of the normal and the Cauchy law, and of alpha < 1 by their series") {
  for (const double x : {0.01, 0.3, 2.0, 9.0, 100.0}) {
    CHECK(stable_tail({.alpha = 2, .sigma = 0.7}, 0.7 * x) == absolute(std::erfc(x / 2), 1e-9));
    CHECK(stable_tail({.alpha = 1, .sigma = 0.7}, 0.7 * x) == absolute(1 - 2 / pi * std::atan(x), 1e-8));
  }
  for (const double x : {1.0, 10.0, 100.0}) {
    double series = 0, sign = 1;
    for (int n = 1; n < 60; ++n, sign = -sign)
      series +=
          sign * std::exp(std::lgamma(0.5 * n) - std::lgamma(n + 1)) * std::sin(n * pi / 4) * std::pow(x, -0.5 * n);
    CHECK(stable_tail({.alpha = 0.5}, x) == absolute(2 / pi * series, 1e-8));
  }
  CHECK(stable_tail({.alpha = 1.5}, 100) == relative(2 / pi * std::tgamma(1.5) * std::sin(0.75 * pi) / 1000, 2e-3));
}

TEST_CASE("Ornstein-Uhlenbeck noise: integrals of its correlation and of its spectrum") {
  const double D = 0.7, tau = 0.3, k = 0.8, t = 0.9;
  const double twice = integrate(0, t, 8, [&](double s) { return 2 * (t - s) * D / tau * std::exp(-s / tau); });
  CHECK(free_ornstein_uhlenbeck_variance(D, tau, t) == relative(twice, 1e-12));
  const double spectrum = integrate(0, pi / 2, 40, [&](double angle) {  // omega = tan(angle)
    const double w2 = std::pow(std::tan(angle), 2);
    return 2 * D / pi * (1 + w2) / ((1 + w2 * tau * tau) * (k * k + w2));
  });
  CHECK(harmonic_ornstein_uhlenbeck_variance(k, D, tau) == relative(spectrum, 1e-9));
}

TEST_CASE("Kubo-Anderson noise: two states are dichotomous noise, three have their closed form") {
  const double k = 0.8, F = 1.5, nu = 4.8;
  const auto two = KuboAnderson::three_state(F, 0.5, nu);  // flips at rate nu / 2
  const auto exact = harmonic_dichotomous(k, F, nu / 2), solved = harmonic_kubo_anderson(k, two);
  CHECK(solved.variance == relative(exact.variance, 1e-13));
  CHECK(solved.third == absolute(0, 1e-14));
  CHECK(solved.fourth == relative(exact.fourth, 1e-12));
  CHECK(free_kubo_anderson_variance(two, 0.4) == relative(free_dichotomous_variance(F, F, 1 / nu, 0.4), 1e-13));
  const auto three = KuboAnderson::three_state(F, 0.2, nu);
  CHECK(harmonic_kubo_anderson(k, three).variance == relative(2 * 0.2 * F * F / (k * (k + nu)), 1e-13));
  CHECK(free_kubo_anderson_variance(three, 1e-3) == relative(0.4 * F * F * 1e-6, 2e-3));
  CHECK(free_kubo_anderson_variance(three, 50) == relative(0.8 * F * F / nu * (50 - 1 / nu), 1e-12));
}

TEST_CASE("Kubo-Anderson noise: slow, it shows its own law; fast, it is Gaussian; rare, high states are kicks") {
  const KuboAnderson skewed{{-1, 0.5, 3}, {0.5, 0.3, 0.2}, 1e-9};
  const auto slow = harmonic_kubo_anderson(0.8, skewed);
  double moment[5] = {};
  for (size_t s = 0; s < 3; ++s)
    for (int n = 0; n <= 4; ++n) moment[n] += skewed.probability[s] * std::pow((skewed.value[s] - 0.25) / 0.8, n);
  CHECK(slow.mean == relative(0.25 / 0.8, 1e-12));
  CHECK(slow.variance == relative(moment[2], 1e-8));
  CHECK(slow.third == relative(moment[3], 1e-8));
  CHECK(slow.fourth == relative(moment[4] - 3 * moment[2] * moment[2], 1e-7));
  const auto fast = harmonic_kubo_anderson(0.8, KuboAnderson::three_state(std::sqrt(1e8), 0.5, 1e8));
  CHECK(fast.variance == relative(1 / 0.8, 1e-7));
  CHECK(std::abs(fast.fourth) < 1e-6);
  const double nu = 1e7, lambda = 6.25, zeta = 0.4, q = lambda / nu;  // kicks of exponential length F / nu = zeta
  const auto kicks = harmonic_kubo_anderson(0.8, {{0, zeta * nu}, {1 - q, q}, nu});
  const auto shots = harmonic_shots(0.8, {lambda, KickLaw::exponential(zeta), false});
  CHECK(kicks.mean == relative(shots.mean, 1e-5));
  CHECK(kicks.variance == relative(shots.variance, 1e-5));
  CHECK(kicks.third == relative(shots.third, 1e-5));
  CHECK(kicks.fourth == relative(shots.fourth, 1e-5));
}
