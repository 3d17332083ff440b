// Statistics of recorded paths.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "observe/observable.h"

namespace bmsim {

/// Cumulants k1 ... k4 of a sample, from central moments.
std::array<double, 4> cumulants(std::span<const double> sample);

/// value and standard error of f over the paths 0 ... n - 1, where f(first, last) is evaluated for all of them and for
/// up to 32 groups of them: the error is that of the mean of the groups. Shape of both: whatever f returns.
struct Grouped {
  std::vector<double> value, error;
};
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

/// Averages over the paths [first, last) of v(t) v(t + lag), or of another series, for lags 0 ... lags - 1 of the
/// sampling interval; centred: with the mean over time and paths taken off.
std::vector<double> correlation(const std::vector<std::span<const double>>& series, size_t first, size_t last,
                                size_t lags, bool centred);

}  // namespace bmsim
