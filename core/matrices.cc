#include "matrices.h"

#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/SparseLU>
#include <algorithm>
#include <cmath>
#include <limits>
#include <unsupported/Eigen/FFT>

#include "error.h"

namespace bmsim::matrices {

MatrixXd product(const MatrixXd& a, const MatrixXd& b) { return a * b; }
MatrixXcd product(const MatrixXcd& a, const MatrixXcd& b) { return a * b; }
VectorXd product(const MatrixXd& a, const VectorXd& b) { return a * b; }
VectorXcd product(const MatrixXcd& a, const VectorXcd& b) { return a * b; }

template <class Matrix>
Lu<Matrix>::Lu(const Matrix& a) : factors_(std::make_shared<const Eigen::PartialPivLU<Matrix>>(a)) {}
template <class Matrix> typename Lu<Matrix>::Vector Lu<Matrix>::solve(const Vector& b) const {
  return factors_->solve(b);
}
template <class Matrix> Matrix Lu<Matrix>::solve(const Matrix& b) const { return factors_->solve(b); }
template <class Matrix> Matrix Lu<Matrix>::inverse() const {
  return solve(Matrix(Matrix::Identity(factors_->rows(), factors_->cols())));
}
template class Lu<MatrixXd>;
template class Lu<MatrixXcd>;

VectorXd carefully_solved(const MatrixXd& a, const VectorXd& b) { return a.fullPivLu().solve(b); }

MatrixXd kernel(const MatrixXd& a, double threshold) {
  Eigen::FullPivLU<MatrixXd> lu(a);
  lu.setThreshold(threshold);
  return lu.dimensionOfKernel() > 0 ? MatrixXd(lu.kernel()) : MatrixXd(a.cols(), 0);
}

VectorXcd sparsely_solved(const std::vector<Entry>& a, const VectorXcd& b) {
  std::vector<Eigen::Triplet<Complex>> triplets;
  for (const auto& [row, column, value] : a) triplets.emplace_back(row, column, value);
  Eigen::SparseMatrix<Complex> matrix(b.size(), b.size());
  matrix.setFromTriplets(triplets.begin(), triplets.end());
  const Eigen::SparseLU<Eigen::SparseMatrix<Complex>> solver(matrix);
  if (solver.info() != Eigen::Success)
    fail("linear equations must have one solution, got: {}", solver.lastErrorMessage());
  return solver.solve(b);
}

void reflect(MatrixXd& a, Index columns) {
  for (Index k = 0; k < columns; ++k) {
    VectorXd normal = a.col(k).tail(a.rows() - k);
    const double length = normal.norm();
    if (length == 0) continue;
    normal(0) += std::copysign(length, normal(0));
    normal /= normal.norm();
    for (Index j = k; j < a.cols(); ++j) {
      auto part = a.col(j).tail(a.rows() - k);
      part -= 2 * normal.dot(part) * normal;
    }
  }
}

// What follows is EigenSolver and ComplexSchur without their sequences of reflections, which take 15 s to compile.

VectorXcd eigenvalues(const MatrixXd& a) {
  const Index n = a.rows();
  VectorXcd found = VectorXcd::Zero(n);
  const double size = a.cwiseAbs().maxCoeff();
  if (size < std::numeric_limits<double>::min()) return found;
  Eigen::RealSchur<MatrixXd> schur(n);
  schur.computeFromHessenberg(Eigen::HessenbergDecomposition<MatrixXd>(a / size).matrixH(), MatrixXd(), false);
  const MatrixXd T = schur.matrixT() * size;
  for (Index i = 0; i < n; ++i) {
    if (i + 1 == n || T(i + 1, i) == 0) {
      found(i) = T(i, i);
      continue;
    }
    const double p = (T(i, i) - T(i + 1, i + 1)) / 2, below = T(i + 1, i), above = T(i, i + 1);
    const double most = std::max({std::abs(p), std::abs(below), std::abs(above)});
    const double imaginary = most * std::sqrt(std::abs(p / most * (p / most) + below / most * (above / most)));
    found(i) = Complex(T(i + 1, i + 1) + p, imaginary);
    found(i + 1) = std::conj(found(i));
    ++i;
  }
  return found;
}

Schur::Schur(const MatrixXd& a) {
  const Index n = a.rows();
  const Eigen::HessenbergDecomposition<MatrixXd> hessenberg(a);
  MatrixXd Q = MatrixXd::Identity(n, n);
  for (Index i = n - 2; i >= 0; --i) {
    VectorXd normal = hessenberg.packedMatrix().col(i).tail(n - 1 - i);
    normal(0) = 1;
    for (Index j = i + 1; j < n; ++j) {
      auto part = Q.col(j).tail(n - 1 - i);
      part -= hessenberg.householderCoefficients()(i) * normal.dot(part) * normal;
    }
  }
  Eigen::ComplexSchur<MatrixXcd> schur(n);
  schur.computeFromHessenberg(MatrixXcd(hessenberg.matrixH().cast<Complex>()), MatrixXcd(Q.cast<Complex>()));
  T = schur.matrixT(), U = schur.matrixU();
}

struct Fourier::Tables {
  Eigen::FFT<double> of_complex, of_real;
};
Fourier::Fourier() : tables_(std::make_shared<Tables>()) {
  tables_->of_complex.SetFlag(Eigen::FFT<double>::Unscaled);
  tables_->of_real.SetFlag(Eigen::FFT<double>::HalfSpectrum);
}
void Fourier::forward(const VectorXcd& in, VectorXcd& out) { tables_->of_complex.fwd(out, in); }
void Fourier::backward(const VectorXcd& in, VectorXcd& out) { tables_->of_complex.inv(out, in); }
void Fourier::forward(const std::vector<double>& in, std::vector<Complex>& out) { tables_->of_real.fwd(out, in); }

}  // namespace bmsim::matrices
