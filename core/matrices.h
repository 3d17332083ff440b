// Linear algebra of whole matrices, compiled once: Eigen's products and decompositions take seconds in every file that
// instantiates them. Who needs them includes this, and nothing of Eigen but <Eigen/Core>.
#pragma once
#include <Eigen/Core>
#include <complex>
#include <memory>
#include <vector>

namespace bmsim::matrices {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using Complex = std::complex<double>;

MatrixXd product(const MatrixXd& a, const MatrixXd& b);
MatrixXcd product(const MatrixXcd& a, const MatrixXcd& b);
VectorXd product(const MatrixXd& a, const VectorXd& b);
VectorXcd product(const MatrixXcd& a, const VectorXcd& b);

/// A square matrix, factorised with pivots in rows.
template <class Matrix> class Lu {
 public:
  using Vector = Eigen::Matrix<typename Matrix::Scalar, Eigen::Dynamic, 1>;
  Lu() = default;
  explicit Lu(const Matrix& a);
  Vector solve(const Vector& b) const;
  Matrix solve(const Matrix& b) const;
  Matrix inverse() const;

 private:
  std::shared_ptr<const Eigen::PartialPivLU<Matrix>> factors_;
};
extern template class Lu<MatrixXd>;
extern template class Lu<MatrixXcd>;

/// A solution of a x = b, of which there is one, with pivots in rows and columns.
VectorXd carefully_solved(const MatrixXd& a, const VectorXd& b);
/// A basis, in columns, of what a takes to 0; pivots below the threshold, over the largest, count as 0.
MatrixXd kernel(const MatrixXd& a, double threshold);

struct Entry {
  Index row, column;
  Complex value;
};
/// The solution of a x = b for a sparse matrix a, the sum of its entries. Throws Error if it has no inverse.
VectorXcd sparsely_solved(const std::vector<Entry>& a, const VectorXcd& b);

/// Makes the first columns of a matrix triangular by reflections of its rows.
void reflect(MatrixXd& a, Index columns);
/// The solution of a x = b for the upper triangle of a.
template <class Matrix, class Vector> Vector triangularly_solved(const Matrix& a, Vector b) {
  for (Index i = b.size() - 1; i >= 0; --i) {
    for (Index k = i + 1; k < b.size(); ++k) b(i) -= a(i, k) * b(k);
    b(i) /= a(i, i);
  }
  return b;
}

VectorXcd eigenvalues(const MatrixXd& a);
/// a = U T U^H, T upper triangular.
struct Schur {
  MatrixXcd T, U;
  explicit Schur(const MatrixXd& a);
};

/// Fourier transforms without factors. It keeps the tables of all lengths that it has had.
class Fourier {
 public:
  Fourier();
  void forward(const VectorXcd& in, VectorXcd& out);
  void backward(const VectorXcd& in, VectorXcd& out);
  /// Of real numbers, an even number of them: harmonics from 0 to the highest.
  void forward(const std::vector<double>& in, std::vector<Complex>& out);

 private:
  struct Tables;
  std::shared_ptr<Tables> tables_;
};

}  // namespace bmsim::matrices
