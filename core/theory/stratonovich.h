// Gaussian noise in a periodic potential, overdamped: mean velocity and effective diffusion by quadrature.
#pragma once
#include "theory/landscape.h"

namespace bmsim::theory {

struct Transport {
  double v, D_eff;
};

/// U = V - F x: I+-(x) = (1/D) int_0^L dz exp{[+-U(x) -+ U(x -+ z)]/D}, v = L (1 - exp(-F L/D)) / int_0^L I+,
/// D_eff = D L^2 int I+^2 I- / (int I+)^3. Stratonovich 1958; Reimann et al., Phys. Rev. Lett. 87, 010602 (2001).
/// Sums of logarithms: nothing overflows. Relative error below 1e-9, kinks included, for D > 0 down to about 1e-5 of
/// the height of V, below which it throws Error.
Transport stratonovich(const Landscape& landscape, double force, double D);

/// D_eff without tilt, D L^2 / [int exp(V/D) int exp(-V/D)], with the same accuracy. Lifson and Jackson 1962.
double lifson_jackson(const Landscape& landscape, double D);

}  // namespace bmsim::theory
