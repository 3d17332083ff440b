// Statistics of recorded paths.
#pragma once
#include <array>
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
template <class F> Grouped grouped(size_t paths, F f);

/// Averages over the paths [first, last) of v(t) v(t + lag), or of another series, for lags 0 ... lags - 1 of the
/// sampling interval; centred: with the mean over time and paths taken off.
std::vector<double> correlation(const std::vector<std::span<const double>>& series, size_t first, size_t last,
                                size_t lags, bool centred);

}  // namespace bmsim

#include "observe/recorded_detail.h"
