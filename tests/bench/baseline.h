// The plain scalar program that bmsim's speed is quoted against: the paper's Algorithms 1-4, one thread, one trajectory
// at a time. Spiechowicz, Kostur, Machura, Comput. Phys. Commun. 191 (2015) 140.
#pragma once

namespace bmsim::reference {

/// poissonian: D_P = 1, a = 2.5. dichotomous: Fa = 3, Fb = 1.6, tau = 0.2, zero mean.
enum class BaselineModel { poissonian, dichotomous };
/// piecewise_linear: the paper's, L = 2. sine: V = sin(2 pi x), L = 1.
enum class BaselinePotential { piecewise_linear, sine };
/// How V' of the piecewise-linear potential is found: the sign of sin(pi x), as the authors do, or the position in the
/// period by floor. The sine potential has one way, the library's cosine, and ignores this.
enum class BaselineForce { sine_sign, floor };
enum class BaselinePrecision { single_, double_ };

/// Steps per second (a step has three force evaluations) of a run of at least `seconds`, on the calling thread.
/// D_G: intensity of the Gaussian noise, three-point increments where it is > 0. spp: steps per smallest time scale of
/// the noise. velocity: if given, the mean velocity of that run after its first tenth, as a check: in half a second
/// good to 0.03 at 5e7 steps/s, and off by the paper's own error, which is of first order in 1 / spp.
double baseline_rate(BaselineModel model, BaselinePotential potential, BaselineForce force, double D_G, int spp,
                     BaselinePrecision precision, double* velocity = nullptr, double seconds = 0.5);

struct VelocityMoments {
  double v, v2;  ///< <v> and <v^2>, over time and ensemble
};
/// Steps per second of the inertial particle x'' + gamma x' = -V'(x) + a cos(omega t) + f + sqrt(2 gamma D) xi(t), V =
/// sin(2 pi x), gamma = 0.9, a = 4.2, omega = 4.9, D = 0.001 (Machura et al., PRL 98 (2007) 040601): Heun's method, two
/// evaluations of the force and one three-point increment a step, v and v^2 added up at every step. spp: steps per
/// period of the drive. moments: if given, after the first ten periods.
double inertial_baseline_rate(int spp, double f, BaselinePrecision precision, VelocityMoments* moments = nullptr,
                              double seconds = 0.5);

}  // namespace bmsim::reference
