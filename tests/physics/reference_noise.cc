// Statistics of noises and of linear systems driven by them.
#include "reference_noise.h"

#include <cmath>

#include "reference_detail.h"

namespace bmsim::reference {

KickLaw KickLaw::exponential(double mean) {
  return {mean, 2 * std::pow(mean, 2), 6 * std::pow(mean, 3), 24 * std::pow(mean, 4)};
}
KickLaw KickLaw::constant(double value) { return {value, std::pow(value, 2), std::pow(value, 3), std::pow(value, 4)}; }
KickLaw KickLaw::gaussian(double mean, double deviation) {
  const double m2 = mean * mean, s2 = deviation * deviation;
  return {mean, m2 + s2, mean * (m2 + 3 * s2), m2 * m2 + 6 * m2 * s2 + 3 * s2 * s2};
}
KickLaw KickLaw::two_sided_exponential(double scale) { return {0, 2 * std::pow(scale, 2), 0, 24 * std::pow(scale, 4)}; }
KickLaw KickLaw::uniform(double mean) {  // (2 mean)^n / (n + 1)
  const double top = 2 * mean;
  return {mean, std::pow(top, 2) / 3, std::pow(top, 3) / 4, std::pow(top, 4) / 5};
}

Cumulants free_shots(const ShotNoise& noise, double t) {
  require(noise.lambda > 0, "lambda must be > 0", noise.lambda);
  const auto& [first, second, third, fourth] = noise.kick;
  const double kicks = noise.lambda * t;
  return {noise.compensated ? 0 : kicks * first, kicks * second, kicks * third, kicks * fourth};
}

Cumulants harmonic_shots(double k, const ShotNoise& noise) {
  require(k > 0, "k must be > 0", k);
  const auto rate = free_shots(noise, 1);
  return {rate.mean / k, rate.variance / (2 * k), rate.third / (3 * k), rate.fourth / (4 * k)};
}

namespace {

void check(const Stable& law) {
  require(law.alpha > 0 && law.alpha <= 2, "alpha must be in (0, 2]", law.alpha);
  require(std::abs(law.beta) <= 1, "beta must be in [-1, 1]", law.beta);
  require(law.sigma > 0, "sigma must be > 0", law.sigma);
}

void check_symmetric(const Stable& law) {
  check(law);
  require(law.beta == 0, "beta must be 0", law.beta);
  require(law.mu == 0, "mu must be 0", law.mu);
}

}  // namespace

std::complex<double> stable_characteristic(const Stable& law, double k) {
  check(law);
  if (k == 0) return 1;
  const auto& [alpha, beta, sigma, mu] = law;
  const double sign = k > 0 ? 1 : -1;
  const double skew = alpha == 1 ? -2 / pi * std::log(std::abs(k)) : alpha == 2 ? 0 : std::tan(pi * alpha / 2);
  const std::complex<double> factor{1, -beta * sign * skew};
  return std::exp(-std::pow(sigma * std::abs(k), alpha) * factor + std::complex<double>{0, mu * k});
}

Stable stable_increment(const Stable& law, double t) {
  check(law);
  require(t > 0, "t must be > 0", t);
  return {law.alpha, law.beta, law.sigma * std::pow(t, 1 / law.alpha), law.mu * t};
}

Stable stable_harmonic(double k, const Stable& law) {  // log of its characteristic function: int_0^inf psi(e^-kt q) dt
  check(law);
  require(k > 0, "k must be > 0", k);
  require(law.alpha != 1 || law.beta == 0, "beta must be 0 where alpha is 1", law.beta);
  return {law.alpha, law.beta, law.sigma * std::pow(law.alpha * k, -1 / law.alpha), law.mu / k};
}

double stable_moment(const Stable& law, double p) {
  check_symmetric(law);
  require(p > -1, "p must be > -1", p);
  require(p < law.alpha || law.alpha == 2, "p must be < alpha", p);
  const double power = std::pow(2 * law.sigma, p) * std::tgamma((1 + p) / 2) / std::sqrt(pi);
  return law.alpha == 2 ? power : power * std::tgamma(1 - p / law.alpha) / std::tgamma(1 - p / 2);
}

double stable_tail(const Stable& law, double x) {  // 1 - (2 / pi) int_0^inf phi(k) sin(k x) / k dk
  check_symmetric(law);
  require(x > 0, "x must be > 0", x);
  const double y = x / law.sigma, last = std::pow(30, 1 / law.alpha);  // phi < 1e-13 beyond
  const auto integrand = [&](double k) { return std::exp(-std::pow(k, law.alpha)) * std::sin(k * y) / k; };
  double sum = 0, from = std::min(last, 1 / y);
  for (double to = from; to > 1e-12 * from; to /= 4) sum += integrate(to / 4, to, integrand);  // k^alpha is rough at 0
  while (from < last) {
    const double to = std::min({last, from + 2 / y, 1.5 * from});
    sum += integrate(from, to, integrand);
    from = to;
  }
  return 1 - 2 / pi * sum;
}

double free_ornstein_uhlenbeck_variance(double D, double tau, double t) {
  require(tau > 0, "tau must be > 0", tau);
  return 2 * D * (t + tau * std::expm1(-t / tau));
}

double harmonic_ornstein_uhlenbeck_variance(double k, double D, double tau) {
  require(k > 0, "k must be > 0", k);
  return D / (k * (1 + k * tau));
}

double KuboAnderson::mean() const {
  double sum = 0;
  for (size_t s = 0; s < value.size(); ++s) sum += probability[s] * value[s];
  return sum;
}

double KuboAnderson::variance() const {
  double sum = 0;
  for (size_t s = 0; s < value.size(); ++s) sum += probability[s] * value[s] * value[s];
  return sum - mean() * mean();
}

double free_kubo_anderson_variance(const KuboAnderson& noise, double t) {
  require(noise.nu > 0, "nu must be > 0", noise.nu);
  return free_ornstein_uhlenbeck_variance(noise.variance() / noise.nu, 1 / noise.nu, t);
}

Cumulants harmonic_kubo_anderson(double k, const KuboAnderson& noise) {
  require(k > 0, "k must be > 0", k);
  require(noise.nu > 0, "nu must be > 0", noise.nu);
  const double mean = noise.mean() / k;
  // Of y = x - mean: 0 = -n k <y^n, s> + n (value_s - k mean) <y^(n-1), s> + nu (probability_s <y^n> - <y^n, s>).
  std::vector<double> moment = noise.probability;
  double total[5] = {1, 0, 0, 0, 0};
  for (int n = 1; n <= 4; ++n) {
    std::vector<double> source(moment.size());
    for (size_t s = 0; s < moment.size(); ++s) {
      source[s] = n * (noise.value[s] - noise.mean()) * moment[s];
      total[n] += source[s] / (n * k);
    }
    for (size_t s = 0; s < moment.size(); ++s)
      moment[s] = (source[s] + noise.nu * noise.probability[s] * total[n]) / (n * k + noise.nu);
  }
  return {mean, total[2], total[3], total[4] - 3 * total[2] * total[2]};
}

}  // namespace bmsim::reference
