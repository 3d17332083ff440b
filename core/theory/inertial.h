// Stationary Klein-Kramers equation of an underdamped thermal particle in a tilted periodic potential.
#pragma once
#include "theory/kramers.h"

namespace bmsim::theory {

struct InertialTransport {
  double v, v2, D_eff;  ///< <v>, <v^2>, lim var x / (2 t)
};

/// Expansion in `hermite` Hermite functions of v about `centre` and harmonics up to `modes`, solved by matrix continued
/// fractions (Risken, The Fokker-Planck Equation, 11.5); D_eff from the corrector problem. Converges exponentially for
/// smooth V. Errors are below 1e-6 of v and v2 and 1e-4 of D_eff, in units of sqrt(T/m), T/m and max(D_eff, T/gamma).
/// Throws Error if the basis is too small for that: the last coefficients must be below 1e-7, and none above 1e5, of
/// the scale of the result. `force` includes the tilt. `centre` affects only convergence.
InertialTransport inertial_transport(const FourierForce& force, const Particle& particle, int hermite, int modes,
                                     double centre = 0);

/// For a landscape, with the smallest sufficient basis of a ladder that ends at 1500 functions and 48 harmonics, which
/// is enough for friction down to about 0.1 sqrt(m V0)/L. Throws Error if no basis suffices.
InertialTransport inertial_transport(const Landscape& landscape, double force, const Particle& particle);

}  // namespace bmsim::theory
