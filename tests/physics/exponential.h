// exp of a matrix, for references.
#pragma once
#include <cmath>

#include "matrices.h"

namespace bmsim::reference {

/// The series of exp(2^-n a), squared n times.
template <class Matrix> Matrix exponential(Matrix a) {
  const double size = a.cwiseAbs().rowwise().sum().maxCoeff();
  const int halvings = size > 0.5 ? static_cast<int>(std::ceil(std::log2(2 * size))) : 0;
  a *= std::ldexp(1.0, -halvings);
  Matrix sum = Matrix::Identity(a.rows(), a.cols());
  for (int n = 16; n > 0; --n) {  // Horner's rule
    sum = matrices::product(a, sum) / n;
    sum.diagonal().array() += 1;
  }
  for (int i = 0; i < halvings; ++i) sum = matrices::product(sum, sum);
  return sum;
}

}  // namespace bmsim::reference
