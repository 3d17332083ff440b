// Short names of matrices and vectors.
#pragma once
#include "matrices.h"

namespace bmsim::theory {

using Eigen::Index;
using Eigen::MatrixXcd;
using Eigen::MatrixXd;
using Eigen::VectorXcd;
using Eigen::VectorXd;
using matrices::Complex;
using matrices::product;

}  // namespace bmsim::theory
