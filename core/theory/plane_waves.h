// Drift and diffusion on a torus as sums of plane waves.
#pragma once
#include <algorithm>
#include <array>

#include "theory/algebra.h"
#include "theory/torus.h"

namespace bmsim::theory {

enum Field { drift_x, drift_y, D_xx, D_xy, D_yy, fields };
/// Of every field; element (k mod N, l mod N) is the coefficient of exp(i q.x).
using Harmonics = std::array<Eigen::MatrixXcd, fields>;

/// k modulo n, for -n <= k < n.
inline Eigen::Index wrapped(Eigen::Index k, Eigen::Index n) { return k < 0 ? k + n : k; }
/// From harmonics to values at N x N places, or back without the factor 1 / N^2, in place.
void transform(Eigen::MatrixXcd& f, bool to_places);

/// Drift and D of a motion as harmonics, resolved to 1e-10 of the largest drift and of the largest D.
struct PlaneWaves {
  std::array<double, 2> length{};
  Harmonics f;
  std::array<double, fields> largest{};  ///< values: of the drifts in [drift_x], of D in [D_xx]
  Eigen::Index reach = 0;                ///< highest harmonic that is not negligible

  /// Throws Error if 256 harmonics in each variable do not suffice, or D is not positive definite.
  explicit PlaneWaves(const TorusMotion& motion);
  Eigen::Index places() const { return f[0].rows(); }
  Complex at(Field field, Eigen::Index k, Eigen::Index l) const {
    const Eigen::Index n = places();
    if (std::max(std::abs(k), std::abs(l)) >= n / 2) return 0;
    return f[field](wrapped(k, n), wrapped(l, n));
  }
  double scale() const { return largest[drift_x]; }

 private:
  void sample(const TorusMotion& motion, Eigen::Index n);
  bool resolved(const TorusMotion& motion) const;
};

}  // namespace bmsim::theory
