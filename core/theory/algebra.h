// Short names of matrices and vectors.
#pragma once
#include <Eigen/Core>
#include <complex>

namespace bmsim::theory {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using Complex = std::complex<double>;

}  // namespace bmsim::theory
