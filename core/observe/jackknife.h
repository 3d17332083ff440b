// Standard errors of any statistic (ratios, variances, cumulants) by leaving out one group of paths at a time (R. G.
// Miller, Biometrika 61, 1, 1974).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "interruption.h"

namespace bmsim {

/// Values with their standard errors, of the same shape.
struct Grouped {
  std::vector<double> value, error;
  /// Asymmetry of what the groups contribute: their squared skewness over their number. That of groups of paths is the
  /// paths' own, since the sum of k numbers has a k-th of the squared skewness of one.
  std::vector<double> asymmetry{};
};

/// Sums over the paths of each group, in an array of shape (rows, groups, inner) that must outlive this object. Gives
/// sums over all groups but one.
template <class Number> class GroupSums {
 public:
  GroupSums(std::span<const Number> sums, size_t groups, size_t inner)
      : sums_(sums), groups_(groups), inner_(inner), all_(sums.size() / groups) {
    for (size_t r = 0; r < all_.size() / inner; ++r)
      for (size_t g = 0; g < groups; ++g)
        for (size_t i = 0; i < inner; ++i) all_[r * inner + i] += at(r, g, i);
  }
  /// Sum over all groups except `without`; over all groups if without == groups.
  double rest(size_t row, size_t i, size_t without) const {
    const double all = all_[row * inner_ + i];
    return without < groups_ ? all - at(row, without, i) : all;
  }

 private:
  double at(size_t row, size_t group, size_t i) const {
    return static_cast<double>(sums_[(row * groups_ + group) * inner_ + i]);
  }
  std::span<const Number> sums_;
  size_t groups_, inner_;
  std::vector<double> all_;
};
template <class Number> GroupSums(const std::vector<Number>&, size_t, size_t) -> GroupSums<Number>;

/// Fewest independent parts that give an error. With fewer their scatter is too uncertain: Student's t with 11 degrees
/// of freedom already has a standard deviation of 1.1. Errors of fewer parts are nan.
constexpr size_t fewest_parts = 12;

/// Squared skewness of n numbers over n, from their second and third central moments; unbiased moments are meant.
inline double asymmetry_of(double second, double third, double n) {
  const double skewness = third / std::pow(second, 1.5) * std::sqrt(n * (n - 1)) / (n - 2);
  return second > 0 && n > 2 ? skewness * skewness / n : 0;
}
/// Factor on the standard error of a mean of skewed numbers: the variance of the mean over its own standard error is
/// larger than 1 by (2 + 7/4 skewness^2)/n, the next order of Student's t (R. C. Geary, Biometrika 34, 209, 1947).
/// Without skewness it is 1: the 2/n of normal numbers are left out.
inline double widening_of_skewed(double asymmetry) { return std::sqrt(1 + 1.75 * asymmetry); }
/// The same for second moments of n paths. Squares of normal numbers have a skewness of sqrt(8), and no less is
/// assumed of others: few paths do not know theirs.
inline double widening_of_squares(double n, double asymmetry = 0) {
  return std::sqrt(1 + std::max(16 / n, 2 / n + 1.75 * asymmetry));
}

/// Bias of order 1/paths of a statistic: kept, or removed to this order (M. H. Quenouille, Biometrika 43, 353, 1956),
/// for ratios.
enum class Bias { kept, removed };

/// f(without) is the statistic from all groups except `without`, or from all if without == groups: a range of numbers.
/// Errors are NaN for fewer than fewest_parts groups.
template <class F> Grouped jackknife(size_t groups, F f, Bias bias = Bias::kept) {
  const auto whole = f(groups);
  Grouped result{{whole.begin(), whole.end()}, {}};
  const size_t size = result.value.size();
  result.error.assign(size, std::numeric_limits<double>::quiet_NaN());
  result.asymmetry.assign(size, 0.0);
  if (groups < 2) return result;
  std::vector<double> sum(size), squares(size), cubes(size);
  for (size_t g = 0; g < groups; ++g) {
    check_interruption();
    const auto rest = f(g);
    for (size_t i = 0; i < size; ++i) {
      const double d = rest[i] - result.value[i];  // from the value of all groups, which is close to the mean
      sum[i] += d;
      squares[i] += d * d;
      cubes[i] += d * d * d;
    }
  }
  const double n = static_cast<double>(groups);
  for (size_t i = 0; i < size; ++i) {
    const double square = (squares[i] - sum[i] * sum[i] / n) * (n - 1) / n, a = sum[i] / n;
    if (groups >= fewest_parts && !std::isnan(square)) result.error[i] = std::sqrt(std::max(0.0, square));
    result.asymmetry[i] =
        asymmetry_of(squares[i] / n - a * a, cubes[i] / n - 3 * a * squares[i] / n + 2 * a * a * a, n);
    if (bias == Bias::removed && std::isfinite(sum[i])) result.value[i] -= (n - 1) / n * sum[i];
  }
  return result;
}

/// statistic(sums) with its bias removed. The sums go over the paths 0 ... n - 1 in up to 256 groups; add(path, sums)
/// adds one path.
template <size_t Sums, class Add, class F> Grouped jackknife_of_sums(size_t paths, Add add, F statistic) {
  const size_t groups = std::min<size_t>(256, paths);
  std::array<double, Sums> total{};
  std::vector<std::array<double, Sums>> parts(groups);
  for (size_t g = 0; g < groups; ++g) {
    check_interruption();
    for (size_t path = paths * g / groups; path < paths * (g + 1) / groups; ++path) add(path, parts[g]);
    for (size_t i = 0; i < Sums; ++i) total[i] += parts[g][i];
  }
  return jackknife(
      groups,
      [&](size_t without) {
        std::array<double, Sums> rest = total;
        for (size_t i = 0; without < groups && i < Sums; ++i) rest[i] -= parts[without][i];
        return statistic(rest);
      },
      Bias::removed);
}

}  // namespace bmsim
