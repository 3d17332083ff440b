// Deterministic results that simulations are held against: closed forms, quadratures, stationary master equations.
//   dx/dt = f(x) + noise,   f(x) = -V'(x) + F,   f(x + L) = f(x)
// Sources are named at each function. Nothing here uses the engine, the plugins or random numbers.
#pragma once
#include <complex>
#include <functional>
#include <span>
#include <vector>

namespace bmsim::reference {

/// White Poissonian noise, compensated: kicks of mean zeta = D / a at rate lambda = a^2 / D, drift -a in between.
struct PoissonNoise {
  double D, a;

  double zeta() const { return D / a; }
  double lambda() const { return a * a / D; }
};

/// Dichotomous noise of the states -Fa and Fb; mu_a is the rate -Fa -> Fb, mu_b the rate Fb -> -Fa.
struct DichotomousNoise {
  double Fa, Fb, mu_a, mu_b;

  /// The noise of zero mean (Fa mu_b = Fb mu_a) with correlation time tau; its intensity is Fa Fb tau.
  static DichotomousNoise zero_mean(double Fa, double Fb, double tau) {
    return {Fa, Fb, Fa / ((Fa + Fb) * tau), Fb / ((Fa + Fb) * tau)};
  }
  double tau() const { return 1 / (mu_a + mu_b); }
};

/// Piecewise-linear potential: period L, height V0, minima at -k L and (1 - k) L, maximum at 0. Default: the paper's.
struct PiecewiseLinear {
  double L = 2, V0 = 1, k = 0.5;

  double energy(double x) const;
  /// -V' on the rising side [-k L, 0] and on the falling side [0, (1 - k) L].
  double rising_force() const { return -V0 / (k * L); }
  double falling_force() const { return V0 / ((1 - k) * L); }
};

/// f(x) = sum_k f_k exp(2 pi i k x / L); coefficient[k] is f_k for k >= 0 (f is real), and 0 where the vector ends.
struct FourierForce {
  double L;
  std::vector<std::complex<double>> coefficient;
};

// ---- Closed forms for the paper's piecewise-linear potential without Gaussian noise ----

/// Mean velocity under compensated Poissonian noise; D > 0, a > 1. Luczka, Bartussek, Haenggi, EPL 31 (1995) 431.
/// Throws std::invalid_argument outside of the bounds.
double poisson_velocity(double D, double a);
/// Mean velocity under dichotomous noise of zero mean; Fa, Fb > 1, tau > 0. Kula, Czernik, Luczka, Phys. Lett. A 214
/// (1996) 14, with the sign of the states (-Fa, Fb). Throws std::invalid_argument outside of the bounds.
double dichotomous_velocity(double Fa, double Fb, double tau);

// ---- Gaussian noise in a tilted periodic potential ----

struct Transport {
  double v, D_eff;
};
/// Mean velocity and effective diffusion under Gaussian noise of intensity D > 0. V must be smooth inside each of
/// `panels` equal parts of [0, L] (kinks on their edges are harmless); default good to 1e-8 for V0 / D up to 50.
/// Stratonovich 1958; Reimann et al., PRL 87 (2001) 010602.
Transport stratonovich(const std::function<double(double)>& V, double F, double D, double L, int panels = 40);
/// Effective diffusion for V = V0 sin(2 pi x / L), no tilt: D / I0(V0 / D)^2. Lifson and Jackson 1962.
double lifson_jackson(double V0, double D);

// ---- Stationary master equations, any of the noises together with Gaussian noise of intensity D_G > 0 ----

FourierForce sine_force(double V0, double L, double F = 0);
/// k_max: the highest harmonic kept.
FourierForce piecewise_linear_force(const PiecewiseLinear& potential, int k_max, double F = 0);
/// From samples of force(x) at 4 k_max points of the period; exact where its harmonics above 3 k_max vanish.
FourierForce sampled_force(const std::function<double(double)>& force, double L, int k_max);

/// Mean velocity from 0 = -(d/dx)[(f - a) p] + D_G p'' + lambda [int rho(z) p(x - z) dz - p], rho exponential, by
/// Fourier-Galerkin with harmonics up to `modes`; converges exponentially for a smooth f.
double master_velocity(const FourierForce& force, const PoissonNoise& noise, double D_G, int modes);
/// Mean velocity from 0 = -(d/dx)[(f + G) p_G] + D_G p_G'' + flips between the two states G, in the same way.
double master_velocity(const FourierForce& force, const DichotomousNoise& noise, double D_G, int modes);

/// The same equations for the piecewise-linear potential, free of discretisation: the exact solution on every linear
/// piece, matched at its ends. The Galerkin scheme converges there, too, but only algebraically.
double master_velocity(const PiecewiseLinear& potential, const PoissonNoise& noise, double D_G, double F = 0);
double master_velocity(const PiecewiseLinear& potential, const DichotomousNoise& noise, double D_G, double F = 0);

// ---- Cumulants ----

struct Cumulants {
  double mean, variance, third, fourth;
};
/// Stationary law of dx/dt = -k x + noise. Gaussian of intensity D.
Cumulants harmonic_gaussian(double k, double D);
/// x + a / k follows the Gamma law of shape lambda / k and scale zeta.
Cumulants harmonic_poisson(double k, const PoissonNoise& noise);
/// States -F and F, rate r of flips each way: k x / F follows the symmetric Beta law (1 - y^2)^(r / k - 1).
Cumulants harmonic_dichotomous(double k, double F, double r);

/// Displacement of a free particle in time t.
Cumulants free_gaussian(double D, double t);
Cumulants free_poisson(const PoissonNoise& noise, double t);
/// Variance only; zero mean, started from the stationary law of the noise.
double free_dichotomous_variance(double Fa, double Fb, double tau, double t);

// ---- Weak order ----

/// bias: measured minus exact at step h; error: its standard error.
struct BiasPoint {
  double h, bias, error;
};
struct WeakOrder {
  double order, error;  ///< slope of log |bias| over log h and its standard error
  double prefactor;     ///< |bias| = prefactor h^order
  double chi_square;    ///< of the fit, with points - 2 degrees of freedom
};
/// Weighted least squares on logarithms; weights (bias / error)^2. A point needs |bias| well above its error: biases
/// are taken as positive. Throws std::invalid_argument for fewer than two different h, or bias, error or h that are not
/// usable.
WeakOrder fit_weak_order(std::span<const BiasPoint> points);

}  // namespace bmsim::reference
