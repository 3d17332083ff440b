// Sums of positive numbers of any size, kept as logarithms.
#pragma once
#include <cmath>

#include "numbers.h"

namespace bmsim::theory {

class LogSum {
 public:
  /// Adds exp(exponent).
  void add(double exponent) {
    if (exponent <= top_) {
      if (exponent > top_ - 800) rest_ += std::exp(exponent - top_);
    } else {
      rest_ = (top_ > exponent - 800 ? rest_ * std::exp(top_ - exponent) : 0) + 1;
      top_ = exponent;
    }
  }
  /// The logarithm of the sum, -INFINITY if it is empty.
  double log() const { return rest_ > 0 ? top_ + std::log(rest_) : -infinity; }

 private:
  double top_ = -infinity, rest_ = 0;  // the sum is rest_ exp(top_)
};

/// log(exp(a) + exp(b))
inline double log_add(double a, double b) {
  LogSum sum;
  sum.add(a);
  sum.add(b);
  return sum.log();
}

/// log(1 - exp(-x)), x > 0.
inline double log_one_less(double x) { return x < 0.7 ? std::log(-std::expm1(-x)) : std::log1p(-std::exp(-x)); }

}  // namespace bmsim::theory
