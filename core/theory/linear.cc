#include "theory/linear.h"

#include <algorithm>
#include <cmath>

#include "numbers.h"

namespace bmsim::theory {
namespace {

constexpr double slowest = 1e-9;  // decay, over the largest eigenvalue, that rounding does not hide

VectorXcd eigenvalues(const MatrixXd& A) { return matrices::Schur(A).T.diagonal(); }

MatrixXd adjoint(const MatrixXd& A) { return A.transpose(); }
MatrixXcd adjoint(const MatrixXcd& A) { return A.adjoint(); }

bool decays(const MatrixXd& A) {
  const VectorXcd lambda = eigenvalues(A);
  return lambda.real().maxCoeff() < -slowest * lambda.cwiseAbs().maxCoeff();
}

/// What is left of a push after a long time: the projector on the null space of A along its other eigenspaces. Empty if
/// A has eigenvalues that neither decay nor are 0, or if pushes grow.
MatrixXd what_lasts(const MatrixXd& A) {
  const VectorXcd lambda = eigenvalues(A);
  const double fastest = lambda.cwiseAbs().maxCoeff();
  Index lasting = 0;
  for (const Complex& eigenvalue : lambda) {
    if (std::abs(eigenvalue) <= slowest * fastest)
      ++lasting;
    else if (!(eigenvalue.real() < -slowest * fastest))
      return {};
  }
  if (lasting == 0) return MatrixXd::Zero(A.rows(), A.cols());
  const MatrixXd right = matrices::kernel(A, slowest), left = adjoint(matrices::kernel(adjoint(A), slowest));
  if (right.cols() != lasting || left.rows() != lasting) return {};
  return product(right, matrices::Lu<MatrixXd>(product(left, right)).solve(left));
}

/// Everything that component i depends on, itself included, in order.
std::vector<Index> closed_part(const MatrixXd& A, Index i) {
  std::vector<Index> part{i};
  for (size_t k = 0; k < part.size(); ++k)
    for (Index j = 0; j < A.cols(); ++j)
      if (A(part[k], j) != 0 && std::ranges::count(part, j) == 0) part.push_back(j);
  std::ranges::sort(part);
  return part;
}

/// exp(A): the series of exp(2^-n A), squared n times.
MatrixXd exponential(MatrixXd A) {
  const double size = A.cwiseAbs().rowwise().sum().maxCoeff();
  const int halvings = size > 0.5 ? static_cast<int>(std::ceil(std::log2(2 * size))) : 0;
  A *= std::ldexp(1.0, -halvings);
  MatrixXd sum = MatrixXd::Identity(A.rows(), A.cols()), term = sum;
  for (int n = 1; n <= 16; ++n) {
    term = product(term, A) / n;
    sum += term;
  }
  for (int i = 0; i < halvings; ++i) sum = product(sum, sum);
  return sum;
}

/// C of A C + C A^T + Q = 0, by the Schur form A = U T U^H.
MatrixXd lyapunov(const MatrixXd& A, const MatrixXd& Q) {
  const auto& [T, U] = matrices::Schur(A);
  const Index n = A.rows();
  MatrixXcd Y = -product(adjoint(U), product(Q.cast<Complex>(), U));
  for (Index j = n - 1; j >= 0; --j)
    for (Index i = n - 1; i >= 0; --i) {
      for (Index k = j + 1; k < n; ++k) Y(i, j) -= std::conj(T(j, k)) * Y(i, k);
      for (Index k = i + 1; k < n; ++k) Y(i, j) -= T(i, k) * Y(k, j);
      Y(i, j) /= T(i, i) + std::conj(T(j, j));
    }
  const MatrixXd C = product(product(U, Y), adjoint(U)).real();
  return (C + C.transpose()) / 2;
}

}  // namespace

LinearLaw::LinearLaw(const LinearMotion& motion) : growth(eigenvalues(motion.matrix).real().maxCoeff()) {
  const MatrixXd& A = motion.matrix;
  const Index n = A.rows(), positions = static_cast<Index>(motion.positions);
  for (Index i = 0; i < n; ++i)
    if (const auto part = closed_part(A, i); decays(A(part, part))) stable_.push_back(i);
  mean = VectorXd::Constant(n, nan);
  covariance = MatrixXd::Constant(n, n, nan);
  A_ = A(stable_, stable_);
  B_ = motion.noise(stable_, Eigen::all);
  C_ = stable_.empty() ? A_ : lyapunov(A_, product(B_, adjoint(B_)));
  const VectorXd centre =
      stable_.empty() ? VectorXd() : matrices::Lu<MatrixXd>(A_).solve(VectorXd(motion.constant(stable_)));
  mean(stable_) = (0.0 - centre.array()).matrix();  // no -0
  covariance(stable_, stable_) = C_;

  velocity = VectorXd::Constant(positions, nan);
  MatrixXd pushes = MatrixXd::Constant(positions, motion.noise.cols(), nan);
  for (Index i = 0; i < positions; ++i) {
    const auto part = closed_part(A, i);
    const MatrixXd lasting = what_lasts(A(part, part));
    if (lasting.size() == 0) continue;
    const Index row = std::ranges::find(part, i) - part.begin();
    const MatrixXd of_i = lasting.row(row);
    velocity(i) = product(of_i, VectorXd(motion.constant(part)))(0) + 0.0;
    pushes.row(i) = product(of_i, MatrixXd(motion.noise(part, Eigen::all)));
  }
  diffusion = product(pushes, adjoint(pushes)) / 2;
}

bool LinearLaw::any() const { return !stable_.empty() || velocity.array().isFinite().any(); }

MatrixXd LinearLaw::correlation(double t) const {
  MatrixXd correlations = MatrixXd::Constant(mean.size(), mean.size(), nan);
  if (stable_.empty()) return correlations;
  const MatrixXd part = product(exponential(A_ * std::abs(t)), C_);
  correlations(stable_, stable_) = t < 0 ? adjoint(part) : part;
  return correlations;
}

VectorXd LinearLaw::spectrum(double f) const {
  VectorXd densities = VectorXd::Constant(mean.size(), nan);
  if (stable_.empty()) return densities;
  MatrixXcd resolvent = -A_.cast<Complex>();
  resolvent.diagonal().array() += Complex(0, 2 * pi * f);
  const MatrixXcd response = matrices::Lu<MatrixXcd>(resolvent).solve(MatrixXcd(B_.cast<Complex>()));
  densities(stable_) = 2 * response.rowwise().squaredNorm();
  return densities;
}

}  // namespace bmsim::theory
