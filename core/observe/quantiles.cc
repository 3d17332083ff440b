#include "observe/quantiles.h"

#include <cmath>

namespace bmsim {

double normal_quantile_of_tails(double probability) {
  double z = 2;
  for (int i = 0; i < 60; ++i)
    z += (std::erfc(z / std::sqrt(2.0)) - probability) / (std::sqrt(2 / M_PI) * std::exp(-z * z / 2));
  return z;
}

double student(double z, double freedom) {
  const double square = z * z;
  return z + z * (square + 1) / (4 * freedom) + z * ((5 * square + 16) * square + 3) / (96 * freedom * freedom);
}

}  // namespace bmsim
