// Currents in piecewise-linear potentials without Gaussian noise: exact, piece by piece, for any number of pieces.
#pragma once
#include <vector>

namespace bmsim::theory {

/// A piece of the period on which the force -V' + F is constant.
struct Piece {
  double width, force;
};

/// Kicks at a rate, of an exponential law with a mean zeta of either sign, and a steady drift (-a if compensated).
struct PoissonNoise {
  double rate, zeta, drift;
};
/// States -Fa and Fb; mu_a is the rate -Fa -> Fb, mu_b the rate Fb -> -Fa.
struct DichotomousNoise {
  double Fa, Fb, mu_a, mu_b;
};

/// Mean velocity. The pieces tile one period. With c = force + drift the stationary flux of the motion between kicks,
/// h = c p, obeys h' = -(rate/c + 1/zeta) h + J/zeta, and the particle waits where c changes from > 0 to <= 0; v = L J.
/// All sums have positive terms and are kept as logarithms: relative error below 1e-12 if no exponent is above 1e3, and
/// about 1e-16 times the largest exponent beyond. Luczka, Bartussek, Haenggi, Europhys. Lett. 31, 431 (1995), for two
/// equal pieces.
double poisson_velocity(const std::vector<Piece>& pieces, const PoissonNoise& noise);

/// Mean velocity if force - Fa < 0 < force + Fb on every piece; throws Error if not. The flux j of the upper state
/// obeys j' = -[mu_a/(f - Fa) + mu_b/(f + Fb)] j + mu_a J/(f - Fa). As accurate as poisson_velocity. Kula, Czernik,
/// Luczka, Phys. Lett. A 214, 14 (1996), for two equal pieces.
double dichotomous_velocity(const std::vector<Piece>& pieces, const DichotomousNoise& noise);

}  // namespace bmsim::theory
