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

/// D_eff without tilt, D L^2 / [int exp(V/D) int exp(-V/D)], as accurate as stratonovich. Lifson and Jackson 1962.
double lifson_jackson(const Landscape& landscape, double D);

/// dx = drift dt + sqrt(2 diffusion) dW in the sense of Ito, both of the period.
struct DiffusingMotion {
  Function drift, diffusion;
  double period = 0;
  std::vector<double> breaks{};  ///< where they may have kinks
  Hidden hidden{};               ///< structure of log(diffusion), and of the integral of drift/diffusion
  DiffusingMotion mirrored() const;
};

/// v and D_eff for noise with an amplitude. psi' = -drift/D(x); in y = int dx/sqrt(D) the noise is uniform and the
/// potential is U = psi + log(D)/2, so that with exp(-U) dy = exp(-psi)/D dx, exp(U) dy = exp(psi) dx
///   v = L (1 - exp(psi(L))) / int_0^L dx exp(-psi)/D int_x^(x+L) exp(psi),  D_eff = L^2 int dy I+^2 I- / (int dy
///   I+)^3.
/// Throws Error unless D > 0 everywhere.
Transport stratonovich(const DiffusingMotion& motion);

}  // namespace bmsim::theory
