// Standard errors of any statistic (ratios, variances, cumulants) by leaving out one group of paths at a time (R. G.
// Miller, Biometrika 61, 1, 1974).
#pragma once
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

namespace bmsim {

/// Values with their standard errors, of the same shape.
struct Grouped {
  std::vector<double> value, error;
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

/// Factor on the standard error of second moments of n paths. Squares of normal numbers are skewed: their third
/// cumulant is sqrt(8) times the cube of their standard deviation. The variance of their mean over its own standard
/// error is therefore larger than 1 by (2 + 7/4 8)/n, the next order of Student's t (R. C. Geary, Biometrika 34, 209,
/// 1947).
inline double widening_of_squares(double n) { return std::sqrt(1 + 16 / n); }

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
  if (groups < 2) return result;
  std::vector<double> sum(size), squares(size);
  for (size_t g = 0; g < groups; ++g) {
    const auto rest = f(g);
    for (size_t i = 0; i < size; ++i) {
      const double d = rest[i] - result.value[i];  // from the value of all groups, which is close to the mean
      sum[i] += d;
      squares[i] += d * d;
    }
  }
  const double n = static_cast<double>(groups);
  for (size_t i = 0; i < size; ++i) {
    const double square = (squares[i] - sum[i] * sum[i] / n) * (n - 1) / n;
    if (groups >= fewest_parts && !std::isnan(square)) result.error[i] = std::sqrt(std::max(0.0, square));
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
