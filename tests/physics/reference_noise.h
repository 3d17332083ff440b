// Exact statistics of noises and of linear systems driven by them: kicks of any law, alpha-stable noise,
// Ornstein-Uhlenbeck noise, Kubo-Anderson noise of any number of states.
#pragma once
#include <complex>
#include <vector>

#include "reference.h"

namespace bmsim::reference {

// ---- White noise of Poissonian kicks ----

/// The law of the kicks z by its moments.
struct KickLaw {
  double first, second, third, fourth;  ///< <z^n>

  static KickLaw exponential(double mean);
  static KickLaw constant(double value);
  static KickLaw gaussian(double mean, double deviation);
  static KickLaw two_sided_exponential(double scale);  ///< density exp(-|z| / scale) / (2 scale)
  static KickLaw uniform(double mean);                 ///< on [0, 2 mean]
};

/// Kicks at rate lambda > 0; compensated: their mean force lambda <z> is taken off.
struct ShotNoise {
  double lambda;
  KickLaw kick;
  bool compensated = true;
};

/// Of the increment over the time t (the displacement of a free overdamped particle): lambda t <z^n>; Campbell's
/// theorem. Exact.
Cumulants free_shots(const ShotNoise& noise, double t);
/// Of the stationary x of dx/dt = -k x + noise: lambda <z^n> / (n k). Exact.
Cumulants harmonic_shots(double k, const ShotNoise& noise);

// ---- Alpha-stable noise: Samorodnitsky and Taqqu, Stable Non-Gaussian Random Processes, 1994, S_alpha(sigma, beta,
// mu)

struct Stable {
  double alpha;  ///< in (0, 2]; alpha = 2 is the normal law of variance 2 sigma^2
  double beta = 0, sigma = 1, mu = 0;
};

/// <exp(i k X)>: log = -sigma^alpha |k|^alpha [1 - i beta sign(k) tan(pi alpha / 2)] + i mu k, and at alpha = 1
/// -sigma |k| [1 + i beta (2 / pi) sign(k) log |k|] + i mu k (definition 1.1.6). Throws std::invalid_argument.
std::complex<double> stable_characteristic(const Stable& law, double k);
/// The law of the increment over the time t of the process whose increment over 1 has `law`: its t-th convolution
/// power.
Stable stable_increment(const Stable& law, double t);
/// Stationary law of dx/dt = -k x + noise whose increment over 1 has `law`; alpha = 1 needs beta = 0.
Stable stable_harmonic(double k, const Stable& law);
/// <|X|^p> of the symmetric law (beta = mu = 0), -1 < p < alpha, p = 0 giving 1 (property 1.2.17, gamma functions
/// collected). Throws std::invalid_argument.
double stable_moment(const Stable& law, double p);
/// P(|X| > x), x > 0, of the symmetric law, by inverting its characteristic function; absolute error below 1e-8 for
/// alpha >= 0.5 and x / sigma between 0.01 and 100.
double stable_tail(const Stable& law, double x);

// ---- Ornstein-Uhlenbeck noise: autocorrelation (D / tau) exp(-|t| / tau), stationary at t = 0 ----

/// Variance of the displacement of the free overdamped particle: 2 D [t - tau (1 - exp(-t / tau))]. Exact.
double free_ornstein_uhlenbeck_variance(double D, double tau, double t);
/// Stationary variance of dx/dt = -k x + noise: D / (k (1 + k tau)). Exact.
double harmonic_ornstein_uhlenbeck_variance(double k, double D, double tau);

// ---- Kubo-Anderson noise: at rate nu the value is drawn anew from the stationary law, itself included ----

struct KuboAnderson {
  std::vector<double> value, probability;
  double nu;

  /// Values -F, 0, F with probabilities q, 1 - 2 q, q.
  static KuboAnderson three_state(double F, double q, double nu) { return {{-F, 0, F}, {q, 1 - 2 * q, q}, nu}; }
  double mean() const;
  double variance() const;  ///< autocorrelation of the noise: variance exp(-nu |t|)
};

/// Variance of the displacement of the free overdamped particle, noise stationary at t = 0. Exact.
double free_kubo_anderson_variance(const KuboAnderson& noise, double t);
/// Stationary cumulants of dx/dt = -k x + noise from its moments <x^n, state>, which close from n to n + 1. Exact; for
/// three states of zero mean the variance is 2 q F^2 / (k (k + nu)).
Cumulants harmonic_kubo_anderson(double k, const KuboAnderson& noise);

}  // namespace bmsim::reference
