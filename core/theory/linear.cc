#include "theory/linear.h"

#include <Eigen/Dense>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"

namespace bmsim::theory {
namespace {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr double slowest = 1e-9;  // decay over the largest eigenvalue that is told from none in spite of rounding

VectorXcd eigenvalues(const MatrixXd& A) {
  return Eigen::ComplexSchur<MatrixXcd>(A.cast<std::complex<double>>(), false).matrixT().diagonal();
}

bool decays(const MatrixXd& A) {
  const VectorXcd all = eigenvalues(A);
  return all.real().maxCoeff() < -slowest * all.cwiseAbs().maxCoeff();
}

/// What is left of a push after a long time: the projector on the null space of A along all else. Empty if A has
/// eigenvalues that neither decay nor are 0, or if pushes grow.
MatrixXd what_lasts(const MatrixXd& A) {
  const VectorXcd all = eigenvalues(A);
  const double fastest = all.cwiseAbs().maxCoeff();
  Index lasting = 0;
  for (const auto& one : all) {
    if (std::abs(one) <= slowest * fastest)
      ++lasting;
    else if (!(one.real() < -slowest * fastest))
      return {};
  }
  if (lasting == 0) return MatrixXd::Zero(A.rows(), A.cols());
  Eigen::FullPivLU<MatrixXd> lu(A), transposed(A.transpose());
  lu.setThreshold(slowest);
  transposed.setThreshold(slowest);
  if (lu.dimensionOfKernel() != lasting || transposed.dimensionOfKernel() != lasting) return {};
  const MatrixXd right = lu.kernel(), left = transposed.kernel();
  return right * (left.transpose() * right).partialPivLu().solve(left.transpose());
}

/// All that component i depends on, itself included, in order.
std::vector<Index> closed_part(const MatrixXd& A, Index i) {
  std::vector<Index> part{i};
  for (size_t k = 0; k < part.size(); ++k)
    for (Index j = 0; j < A.cols(); ++j)
      if (A(part[k], j) != 0 && std::ranges::count(part, j) == 0) part.push_back(j);
  std::ranges::sort(part);
  return part;
}

/// exp(A), by its series at 2^-n A, squared n times.
MatrixXd exponential(MatrixXd A) {
  const double size = A.cwiseAbs().rowwise().sum().maxCoeff();
  const int halvings = size > 0.5 ? static_cast<int>(std::ceil(std::log2(2 * size))) : 0;
  A *= std::ldexp(1.0, -halvings);
  MatrixXd sum = MatrixXd::Identity(A.rows(), A.cols()), term = sum;
  for (int n = 1; n <= 16; ++n) {
    term = term * A / n;
    sum += term;
  }
  for (int i = 0; i < halvings; ++i) sum = (sum * sum).eval();
  return sum;
}

/// C of A C + C A^T + Q = 0, by the Schur form A = U T U^H.
MatrixXd lyapunov(const MatrixXd& A, const MatrixXd& Q) {
  const Eigen::ComplexSchur<MatrixXcd> schur(A.cast<std::complex<double>>());
  const MatrixXcd &T = schur.matrixT(), &U = schur.matrixU();
  const Index n = A.rows();
  MatrixXcd Y = -(U.adjoint() * Q.cast<std::complex<double>>() * U);
  for (Index j = n - 1; j >= 0; --j) {
    for (Index k = j + 1; k < n; ++k) Y.col(j) -= std::conj(T(j, k)) * Y.col(k);
    MatrixXcd shifted = T;
    shifted.diagonal().array() += std::conj(T(j, j));
    Y.col(j) = shifted.triangularView<Eigen::Upper>().solve(Y.col(j)).eval();
  }
  const MatrixXd C = (U * Y * U.adjoint()).real();
  return (C + C.transpose()) / 2;
}

}  // namespace

LinearLaw::LinearLaw(const LinearMotion& motion) : growth(eigenvalues(motion.matrix).real().maxCoeff()) {
  const MatrixXd& A = motion.matrix;
  const Index n = A.rows(), positions = static_cast<Index>(motion.positions);
  for (Index i = 0; i < n; ++i)
    if (const auto part = closed_part(A, i); decays(A(part, part))) stable_.push_back(i);
  mean = VectorXd::Constant(n, none);
  covariance = MatrixXd::Constant(n, n, none);
  A_ = A(stable_, stable_);
  B_ = motion.noise(stable_, Eigen::all);
  const Eigen::PartialPivLU<MatrixXd> inverse(A_);
  C_ = stable_.empty() ? A_ : lyapunov(A_, B_ * B_.transpose());
  const VectorXd centre = stable_.empty() ? VectorXd() : VectorXd(-inverse.solve(motion.constant(stable_)));
  mean(stable_) = (centre.array() + 0.0).matrix();  // no -0
  covariance(stable_, stable_) = C_;

  velocity = VectorXd::Constant(positions, none);
  MatrixXd pushes = MatrixXd::Constant(positions, motion.noise.cols(), none);
  for (Index i = 0; i < positions; ++i) {
    const auto part = closed_part(A, i);
    const MatrixXd lasting = what_lasts(A(part, part));
    if (lasting.size() == 0) continue;
    const Index here = std::ranges::find(part, i) - part.begin();
    velocity(i) = lasting.row(here).dot(motion.constant(part).transpose()) + 0.0;
    pushes.row(i) = lasting.row(here) * motion.noise(part, Eigen::all);
  }
  diffusion = pushes * pushes.transpose() / 2;
}

bool LinearLaw::any() const { return !stable_.empty() || velocity.array().isFinite().any(); }

MatrixXd LinearLaw::correlation(double t) const {
  MatrixXd all = MatrixXd::Constant(mean.size(), mean.size(), none);
  if (stable_.empty()) return all;
  const MatrixXd part = exponential(A_ * std::abs(t)) * C_;
  all(stable_, stable_) = t < 0 ? MatrixXd(part.transpose()) : part;
  return all;
}

VectorXd LinearLaw::spectrum(double f) const {
  constexpr double two_pi = 6.283185307179586476925;
  VectorXd all = VectorXd::Constant(mean.size(), none);
  if (stable_.empty()) return all;
  MatrixXcd resolvent = -A_.cast<std::complex<double>>();
  resolvent.diagonal().array() += std::complex<double>(0, two_pi * f);
  const MatrixXcd response = resolvent.partialPivLu().solve(B_.cast<std::complex<double>>());
  all(stable_) = 2 * response.rowwise().squaredNorm();
  return all;
}

}  // namespace bmsim::theory
