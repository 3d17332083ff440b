// Stationary Fokker-Planck equation of two periodic variables: their mean velocities.
#pragma once
#include <array>
#include <functional>

namespace bmsim::theory {

/// Two variables under white Gaussian noise, in the sense of Ito.
struct TorusMotion {
  /// Drift and diffusion tensor at a place.
  struct Local {
    double drift_x, drift_y, D_xx, D_xy, D_yy;
  };
  std::array<double, 2> length{};  ///< periods
  std::function<Local(double x, double y)> at;
};

/// 0 = -d_i (a_i p) + d_i d_j (D_ij p) in Fourier modes: p = sum_k p_k exp(i q.x). Drift and D are resolved first, by
/// up to 256 harmonics in each variable, to 1e-10 of the largest. Modes, up to 128 in each variable, are doubled until
/// both velocities change by less than 1e-9 of themselves or 1e-11 of the largest drift. The equation of up to 16 modes
/// is solved directly, that of more by GMRES (Saad and Schultz, SIAM J. Sci. Stat. Comput. 7, 856 (1986)) with the
/// direct solution of the low modes for a preconditioner. Throws Error where any of that does not suffice, and unless D
/// is positive definite everywhere.
std::array<double, 2> torus_velocities(const TorusMotion& motion);

}  // namespace bmsim::theory
