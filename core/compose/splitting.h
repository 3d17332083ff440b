// Scale b of method aboba, b(y)^2 = tanh(y)/y; see kernels/inertial.h.
#pragma once
#include <cmath>

namespace bmsim {

/// Numbers of a step with y = gamma dt/2m >= 0.
struct Splitting {
  double w, root;  ///< w = y coth(y) - 1; root = 1/b = sqrt(y coth(y))
  double early;    ///< weight of v^2 before friction and noise: (1 - L(2 y))/2, with Langevin's function L

  explicit Splitting(double y) {
    const double s = y * y;  // for small y, w is a continued fraction, without cancellation
    w = y < 0.5 ? s * (45045 + s * (2772 + 27 * s)) / (135135 + s * (17325 + s * (378 + s))) : y / std::tanh(y) - 1;
    root = std::sqrt(1 + w);
    early = y > 0 ? 0.5 - (w + s / (1 + w)) / (4 * y) : 0.5;
  }
};

}  // namespace bmsim
