// Inertial dynamics and escape: closed forms, quadratures, and a spectral solver of the Klein-Kramers equation.
//   m dv = [-gamma v + f(x)] dt + sqrt(2 gamma T) dW,  dx = v dt,  f = -V' + F
#pragma once
#include "reference.h"
#include "reference_noise.h"

namespace bmsim::reference {

/// m, gamma, T > 0; Gaussian noise of intensity D = gamma T.
struct Particle {
  double m, gamma, T;
};

// ---- Free and harmonic: exact ----

/// Stationary autocorrelation of v, free: (T / m) exp(-gamma |t| / m).
double velocity_correlation(const Particle& particle, double t);
/// Variance of the displacement of the free particle; initial_v2 is <v^2> at t = 0: T / m for the stationary law (then
/// (2 T / gamma) [t - (m / gamma) (1 - exp(-gamma t / m))]), 0 for a start at rest. Uhlenbeck and Ornstein 1930.
double free_inertial_msd(const Particle& particle, double t, double initial_v2);

struct SecondMoments {
  double x2, v2;
};
/// Stationary, V = k x^2 / 2, thermal noise: T / k and T / m.
SecondMoments harmonic_inertial(double k, const Particle& particle);
/// Stationary, V = k x^2 / 2, in place of the thermal noise an Ornstein-Uhlenbeck force of autocorrelation
/// (D / tau) exp(-|t| / tau); T is ignored. k = 0: x2 is infinite.
SecondMoments harmonic_inertial_ornstein_uhlenbeck(double k, const Particle& particle, double D, double tau);
/// Stationary cumulants of v of the free particle under kicks of the momentum, no thermal noise (T is ignored):
/// number n is lambda <z^n> / (n gamma m^(n-1)), and without the mean force the first is 0.
Cumulants free_inertial_shots(const Particle& particle, const ShotNoise& noise);

// ---- Escape ----

struct Exit {
  double time;   ///< mean first passage time
  double right;  ///< probability to leave at b
};
/// Overdamped dx/dt = -V' + F + Gaussian noise of intensity D from x0 to a or b, a < x0 < b, by quadrature; V must be
/// smooth inside each of `panels` equal parts of [a, x0] and of [x0, b]; default good to 1e-9 for barriers up to 50 D
/// of a sine. With friction: D = T, times multiplied by gamma. Gardiner, Handbook of Stochastic Methods, 5.2.
/// The rate at which a particle leaves a deep well is 1 / time to the neighbouring minima, or 1 / (2 time) to the tops.
Exit mean_exit(const std::function<double(double)>& V, double F, double D, double a, double x0, double b,
               int panels = 60);

/// V = V0 sin(2 pi x / L): angular frequency at the bottom, which is that of the barrier, too.
double sine_frequency(double V0, double L, double m);
/// Kramers' rate over one of the two barriers, V0 >> T: overdamped, 2 pi V0 / (gamma L^2) exp(-2 V0 / T). High
/// by the fraction T / (4 V0) against the exact mean_exit, to first order in T / V0: 2.7 % at V0 / T = 10.
double kramers_overdamped(double V0, double L, double gamma, double T);
/// What inertia multiplies that by at moderate to high friction, sqrt(1 + c^2) - c over 1 / (2 c), c = gamma / (2 m
/// omega): it becomes 1 at gamma -> infinity. Valid where gamma I / (m T) >> 1, I the action of the barrier's orbit; at
/// V0 / T = 5 low by 0.8, 2.5, 5, 19 % at gamma = 20, 5, 2, 1 against D_eff of inertial_transport (V = sin 2 pi x, m =
/// 1).
double kramers_inertial_factor(double V0, double L, const Particle& particle);
/// Action, over the full closed orbit at the barrier: 8 L sqrt(m V0) / pi.
double sine_barrier_action(double V0, double L, double m);
/// Mean time from the bottom to the energy of the barrier when energy diffuses slowly: gamma I / (m T) << 1, I the
/// action above; exact in that limit for any V0 / T. The time to pass a top is longer by a fraction of the order of
/// sqrt(gamma I / (m T)), since a particle of the barrier's energy does not pass at once. Quadrature good to 1e-8.
/// Kramers 1940; Risken, 11.
double energy_diffusion_time(double V0, double L, const Particle& particle);
/// The same for V0 >> T: 1 / time = gamma I omega / (2 pi m T) exp(-2 V0 / T), both barriers together.
double kramers_low_friction(double V0, double L, const Particle& particle);

// ---- Diffusion in V0 sin(2 pi x / L), no tilt ----

/// gamma -> infinity: (T / gamma) / I0(V0 / T)^2; relative error of the order of m V0 / (gamma L)^2.
double inertial_diffusion_high_friction(double V0, const Particle& particle);
/// gamma -> 0: 2 L^2 m T / (gamma Z) int_{V0}^inf exp(-E / T) / I(E) dE, I the action per period of a running orbit, Z
/// = sqrt(2 pi m T) int_0^L exp(-V / T) dx; from diffusion of energy (Risken, 11.4). Corrections of order sqrt(gamma).
/// Quadrature good to 1e-8.
double inertial_diffusion_low_friction(double V0, double L, const Particle& particle);

// ---- Any friction, any smooth periodic force ----

struct InertialTransport {
  double v, v2, D_eff;  ///< <v>, <v^2>, lim var x / (2 t)
};
/// Stationary Klein-Kramers equation in `hermite` Hermite functions of v about `centre` and Fourier harmonics up to
/// `modes`, by matrix continued fractions (Risken, The Fokker-Planck Equation, 11.5); D_eff from the corrector problem.
/// Converges exponentially. Errors below 1e-6 of v and v2, 1e-4 of D_eff, in units of sqrt(T / m), T / m, max(D_eff, T
/// / gamma), or std::runtime_error: the last coefficients must be below 1e-7, and none above 1e5, of the scale of the
/// result. For V = sin 2 pi x, m = 1, T = 0.5: (200, 24) at gamma >= 1, (400, 24) at 0.3, (1000, 40) at 0.1 (0.7 s);
/// about 1 / gamma more functions below. `centre` changes nothing but convergence: under a strong tilt take it between
/// 0 and F / gamma, so that all velocities lie within about 5 sqrt(T / m) of it: (300, 40, 2) at F = 3, gamma = 0.9, T
/// = 0.1.
InertialTransport inertial_transport(const FourierForce& force, const Particle& particle, int hermite, int modes,
                                     double centre = 0);

}  // namespace bmsim::reference
