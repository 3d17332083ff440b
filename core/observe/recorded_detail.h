#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

namespace bmsim {

template <class F> Grouped grouped(size_t paths, F f) {
  Grouped result;
  result.value = f(size_t{0}, paths);
  result.error.assign(result.value.size(), std::numeric_limits<double>::quiet_NaN());
  const size_t groups = std::min<size_t>(32, paths / 16);  // of fewer paths, high cumulants say nothing
  if (groups < 2) return result;
  std::vector<double> sum(result.value.size()), squares(result.value.size());
  for (size_t g = 0; g < groups; ++g) {
    const std::vector<double> part = f(paths * g / groups, paths * (g + 1) / groups);
    for (size_t i = 0; i < part.size(); ++i) {
      const double d = part[i] - result.value[i];  // about the whole, which is close to the mean of the groups
      sum[i] += d;
      squares[i] += d * d;
    }
  }
  const double n = static_cast<double>(groups);
  for (size_t i = 0; i < sum.size(); ++i)
    result.error[i] = std::sqrt(std::max(0.0, squares[i] - sum[i] * sum[i] / n) / (n - 1) / n);
  return result;
}

}  // namespace bmsim
