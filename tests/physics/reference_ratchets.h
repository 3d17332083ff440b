// Ratchets: overdamped dx/dt = f(x) + Gaussian noise of intensity D > 0, rocked by a slow or a periodic drive, or with
// a potential that flashes.
#pragma once
#include "reference.h"

namespace bmsim::reference {

/// V0 [sin(2 pi x / L) + b sin(4 pi x / L + phi)].
struct TwoWaves {
  double V0 = 1, L = 1, b = 0.25, phi = 0;

  double energy(double x) const;
  FourierForce force(double F = 0) const;  ///< -V' + F, exact
};

// ---- Rocked adiabatically: the drive is slower than every relaxation. Error: that of stratonovich, plus a relative
// ---- error of the order of relaxation time / period of the drive. ----

/// Drive +A and -A for half of the time each.
double rocked_square(const std::function<double(double)>& V, double A, double F, double D, double L);
/// Drive A cos(phase); midpoint rule of `phases` points over half a turn, converging exponentially.
double rocked_cosine(const std::function<double(double)>& V, double A, double F, double D, double L, int phases = 32);

// ---- Periodic in time: mean velocity at any frequency, by Fourier-Galerkin in x with harmonics up to `modes`,
// ---- converging exponentially for a smooth force. ----

/// Force first for the time t1, then second for t2, and again (square drive, or a potential switched by the clock): the
/// period's propagator is a product of two matrix exponentials.
double alternating_velocity(const FourierForce& first, double t1, const FourierForce& second, double t2, double D,
                            int modes);
/// f(x) + A cos(omega t), with `turns` harmonics of omega (Floquet); low omega and large A need more of them.
double rocked_velocity(const FourierForce& force, double A, double omega, double D, int modes, int turns);

// ---- V(x) (1 + noise) + F for dichotomous noise: stationary master equation of two states ----

/// Potential that is on (V) and off: mean times of each, exponentially distributed. In these words 1 + noise is 0 or 1.
DichotomousNoise on_and_off(double mean_on, double mean_off);
/// f = modulated (1 + noise) + F, `modulated` being -V'; its mean force, if any, flashes along.
double flashing_velocity(const FourierForce& modulated, const DichotomousNoise& noise, double F, double D, int modes);
/// The same for the piecewise-linear potential, free of discretisation.
double flashing_velocity(const PiecewiseLinear& potential, const DichotomousNoise& noise, double F, double D);

// ---- Flashing in the deep limit. In the time on the particle reaches the minimum of its well; in the time off it
// ---- diffuses freely from there; n tops passed to the right displace it by n L: v = L <n> / (t_on + t_off), <n> =
// ---- sum_(j >= 0) [P(x > d + j L) - P(x < -(L - d) - j L)], d from the minimum to the next top on its right (k L for
// ---- PiecewiseLinear). Valid for V0 >> D (first order: deep_flashing_distance), and t_on >> the way to the minimum, L
// / |V'| at most; that error is of first order
// ---- in the ratio (random times on: the fraction of times on that are too short). Ajdari and Prost 1992; Reimann,
// Phys. Rep. 361
// ---- (2002) 57, section 4.2. ----

/// d that makes the deep limit right to first order in D / V0: k L + 2 (1 - 2 k) L D / V0, one half because the mean
/// position in the well is not its minimum, the other because the way down from near the top is drawn by lot. At V0 / D
/// = 200, k = 0.2 the velocity is low by 5 % without it.
double deep_flashing_distance(const PiecewiseLinear& potential, double D);
/// t_off fixed: P(x > y) = erfc(y / sqrt(4 D t_off)) / 2.
double deep_flashing_fixed(double L, double d, double D, double t_on, double t_off);
/// Time off exponentially distributed about t_off: P(x > y) = exp(-y / sqrt(D t_off)) / 2.
double deep_flashing_random(double L, double d, double D, double t_on, double t_off);

}  // namespace bmsim::reference
