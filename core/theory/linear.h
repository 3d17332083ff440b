// Stationary law of linear motion under white Gaussian noise.
#pragma once
#include <vector>

#include "theory/algebra.h"

namespace bmsim::theory {

/// dz = (constant + matrix z) dt + noise dW. The first components of z are positions.
struct LinearMotion {
  size_t positions = 0;
  VectorXd constant;
  MatrixXd matrix, noise;
};

/// A component of z has a stationary law if everything that it depends on, directly or through others, is stable.
/// Members are NAN for components without one. The covariance C obeys A C +
/// C A^T + B B^T = 0 (Bartels and Stewart, Commun. ACM 15, 820 (1972)); relative errors are about 1e-13 times the ratio
/// of the fastest rate to the slowest.
class LinearLaw {
 public:
  explicit LinearLaw(const LinearMotion& motion);
  VectorXd mean;
  MatrixXd covariance;
  /// Of positions: mean velocity, and lim cov / (2 t). They exist for a position if everything that it depends on has
  /// only eigenvalues that decay and eigenvalues 0, whose components move on steadily.
  VectorXd velocity;
  MatrixXd diffusion;
  /// Largest real part of an eigenvalue of the matrix.
  double growth;
  bool any() const;  ///< whether any number exists
  /// <dz(t) dz(0)^T>, dz = z - <z>: exp(A t) C for t >= 0.
  MatrixXd correlation(double t) const;
  /// One-sided, by the frequency f: its integral over f > 0 is the variance.
  VectorXd spectrum(double f) const;

 private:
  std::vector<Index> stable_;  // components with a stationary law
  MatrixXd A_, B_, C_;         // of the motion of these components alone; covariance
};

}  // namespace bmsim::theory
