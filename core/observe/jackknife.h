// Standard errors of any statistic (ratios, variances, cumulants) by leaving out one group of paths at a time (R. G.
// Miller, Biometrika 61, 1, 1974).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "interruption.h"
#include "numbers.h"

namespace bmsim {

/// Values with their standard errors, of the same shape.
struct Grouped {
  std::vector<double> value, error;
  /// Asymmetry of what the groups contribute: their squared skewness over their number. Paths have the same one, since
  /// the sum of k numbers has a k-th of the squared skewness of one number.
  std::vector<double> asymmetry{};
};

/// Sums over all groups of paths but one. sums: of each group, of shape (rows, groups, inner); they must outlive this.
template <class Number> class GroupSums {
 public:
  GroupSums(std::span<const Number> sums, size_t groups, size_t inner)
      : sums_(sums), groups_(groups), inner_(inner), totals_(sums.size() / groups) {
    for (size_t r = 0; r < totals_.size() / inner; ++r)
      for (size_t g = 0; g < groups; ++g)
        for (size_t i = 0; i < inner; ++i) totals_[r * inner + i] += at(r, g, i);
  }
  /// Sum over all groups except `without`; over all groups if without == groups.
  double rest(size_t row, size_t i, size_t without) const {
    const double total = totals_[row * inner_ + i];
    return without < groups_ ? total - at(row, without, i) : total;
  }

 private:
  double at(size_t row, size_t group, size_t i) const {
    return static_cast<double>(sums_[(row * groups_ + group) * inner_ + i]);
  }
  std::span<const Number> sums_;
  size_t groups_, inner_;
  std::vector<double> totals_;
};
template <class Number> GroupSums(const std::vector<Number>&, size_t, size_t) -> GroupSums<Number>;

/// Fewest independent parts that give an error; with fewer the error is nan. Their scatter would be too uncertain:
/// Student's t with 11 degrees of freedom already has a standard deviation of 1.1.
constexpr size_t fewest_parts = 12;

/// Squared skewness of n numbers over n, from their second and third central moments; corrected for their bias.
inline double asymmetry_of(double second, double third, double n) {
  const double skewness = third / std::pow(second, 1.5) * std::sqrt(n * (n - 1)) / (n - 2);
  return second > 0 && n > 2 ? skewness * skewness / n : 0;
}
/// Factor on the standard error of a mean of skewed numbers. The mean over its own standard error has a variance above
/// 1 by (2 + 7/4 skewness^2)/n, the next order of Student's t (R. C. Geary, Biometrika 34, 209, 1947). The 2/n of
/// normal numbers are left out, so that the factor is 1 without skewness.
inline double widening_of_skewed(double asymmetry) { return std::sqrt(1 + 1.75 * asymmetry); }
/// Factor on the standard error of a second moment over n paths. Squares of normal numbers have a skewness of sqrt(8).
/// No number is assumed to have less, since few paths do not show their skewness.
inline double widening_of_squares(double n, double asymmetry = 0) {
  return std::sqrt(1 + std::max(16 / n, 2 / n + 1.75 * asymmetry));
}

/// Whether the bias of a statistic of order 1/paths is kept or, for ratios, removed to this order (M. H. Quenouille,
/// Biometrika 43, 353, 1956).
enum class Bias { kept, removed };

/// f(without) is the statistic, a range of numbers, from all groups except `without`, or from all groups if without ==
/// groups. Errors are NaN for fewer than fewest_parts groups.
template <class F> Grouped jackknife(size_t groups, F f, Bias bias = Bias::kept) {
  const auto whole = f(groups);
  Grouped result{{whole.begin(), whole.end()}, {}};
  const size_t size = result.value.size();
  result.error.assign(size, nan);
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

/// statistic(sums) of sums over paths, with its error from up to 256 groups of them and its bias removed. add(path,
/// sums) adds one path to the sums.
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

// Quantiles of the laws against which differences are tested.

/// z such that |Z| > z has this probability for a standard normal Z; by Newton's method on erfc.
inline double normal_quantile_of_tails(double probability) {
  double z = 2;
  for (int i = 0; i < 60; ++i)
    z += (std::erfc(z / std::sqrt(2.0)) - probability) / (std::sqrt(2 / M_PI) * std::exp(-z * z / 2));
  return z;
}
/// Quantile of Student's law with `freedom` degrees of freedom, from the normal quantile z of the same tails, to second
/// order in 1/freedom.
inline double student(double z, double freedom) {
  const double square = z * z;
  return z + z * (square + 1) / (4 * freedom) + z * ((5 * square + 16) * square + 3) / (96 * freedom * freedom);
}

}  // namespace bmsim
