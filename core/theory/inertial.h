// Stationary Klein-Kramers equation of an underdamped thermal particle in a tilted periodic potential.
#pragma once
#include "theory/fourier.h"
#include "theory/kramers.h"

namespace bmsim::theory {

struct InertialTransport {
  double v, v2, D_eff;  ///< <v>, <v^2>, lim var x / (2 t)
};

/// In `hermite` Hermite functions of v about `centre` and harmonics up to `modes`, by matrix continued fractions
/// (Risken, The Fokker-Planck Equation, 11.5); D_eff from the corrector problem. Converges exponentially for smooth V.
/// Errors below 1e-6 of v and v2, 1e-4 of D_eff, in units of sqrt(T/m), T/m, max(D_eff, T/gamma); Error where the basis
/// is too small for that: the last coefficients must be below 1e-7, and none above 1e5, of the scale of the result.
/// `force` includes the tilt. `centre` changes nothing but convergence.
InertialTransport inertial_transport(const FourierForce& force, const Particle& particle, int hermite, int modes,
                                     double centre = 0);

/// The same with the smallest basis of a ladder that does, up to 1500 functions and 48 harmonics: friction down to
/// about 0.1 sqrt(m V0)/L. Throws Error where none does.
InertialTransport inertial_transport(const Landscape& landscape, double force, const Particle& particle);

}  // namespace bmsim::theory
