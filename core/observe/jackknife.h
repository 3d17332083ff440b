// Standard errors of any statistic by leaving out one group of paths after the other: ratios, variances, cumulants (R.
// G. Miller, Biometrika 61, 1, 1974).
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

/// Sums over the paths group by group, shape (rows, groups, inner), which must outlive this; over all groups but one.
template <class Number> class GroupSums {
 public:
  GroupSums(std::span<const Number> sums, size_t groups, size_t inner)
      : sums_(sums), groups_(groups), inner_(inner), all_(sums.size() / groups) {
    for (size_t r = 0; r < all_.size() / inner; ++r)
      for (size_t g = 0; g < groups; ++g)
        for (size_t i = 0; i < inner; ++i) all_[r * inner + i] += at(r, g, i);
  }
  /// Of all groups where without == groups.
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

/// Fewer independent parts than this do not know their scatter: Student's t with 11 degrees of freedom has a standard
/// deviation of 1.1 already. Errors of fewer are nan.
constexpr size_t fewest_parts = 12;

/// By what a standard error of second moments of n paths is multiplied. Squares of normal numbers are skewed (their
/// third cumulant is sqrt(8) times the cube of their deviation), so that their mean over its own standard error
/// scatters by 1 + (2 + 7/4 8)/n more than 1, the next order of Student's t (R. C. Geary, Biometrika 34, 209, 1947).
inline double widening_of_squares(double n) { return std::sqrt(1 + 16 / n); }

/// What a statistic's bias of order 1/paths becomes: kept, or taken off to that order (M. H. Quenouille, Biometrika 43,
/// 353, 1956), for ratios.
enum class Bias { kept, removed };

/// f(without) gives the statistic from all groups but one, or from all where without == groups: a range of numbers.
/// Errors are NaN where there are fewer than fewest_parts groups.
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
      const double d = rest[i] - result.value[i];  // about the whole, which is close to their mean
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

/// statistic(sums) of sums over the paths 0 ... n - 1, where add(path, sums) adds a path to them, in up to 256 groups;
/// its bias removed.
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
