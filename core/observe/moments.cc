#include "observe/moments.h"

#include <array>

namespace bmsim {

namespace {

constexpr size_t threads = 256;  // as many partial sums as a block of the GPU's kernel has threads

/// Sums of several functions of i over [0, n). Each is added up in the order of one alone.
template <class... F> std::array<double, sizeof...(F)> sums(size_t n, F... f) {
  std::array<std::array<double, threads>, sizeof...(F)> partial{};
  const auto add = [&](size_t first, size_t count) {
    size_t k = 0;
    const auto one = [&](const auto& function) {
      double* const to = partial[k++].data();
      for (size_t t = 0; t < count; ++t) to[t] += function(first + t);
    };
    (one(f), ...);
  };
  size_t i = 0;
  for (; i + threads <= n; i += threads) add(i, threads);
  add(i, n - i);
  std::array<double, sizeof...(F)> all{};
  for (size_t k = 0; k < all.size(); ++k) {
    for (size_t half = threads / 2; half > 0; half /= 2)
      for (size_t t = 0; t < half; ++t) partial[k][t] += partial[k][t + half];
    all[k] = partial[k][0];
  }
  return all;
}

}  // namespace

WindowMoments moments(const Window& window) {
  const size_t n = window.start.size();
  const auto &start = window.start, &end = window.end;
  WindowMoments m;
  m.paths = static_cast<double>(n);
  const auto [starts, ends, displacements] = sums(
      n, [&](size_t i) { return start[i]; }, [&](size_t i) { return end[i]; },
      [&](size_t i) { return end[i] - start[i]; });
  const double before = starts / m.paths, after = ends / m.paths;
  m.displacement = displacements / m.paths;
  const auto displacement = [&](size_t i) { return end[i] - start[i] - m.displacement; };
  const auto spread = [&](size_t i) {
    const double e = end[i] - after, s = start[i] - before;
    return e * e - s * s;
  };
  const auto [spreads, displacement_squares] = sums(n, spread, [&](size_t i) {
    const double d = displacement(i);
    return d * d;
  });
  m.spread = spreads / m.paths;
  m.displacement_squares = displacement_squares;
  const auto [spread_squares, with_spread] = sums(
      n,
      [&](size_t i) {
        const double q = spread(i) - m.spread;
        return q * q;
      },
      [&](size_t i) { return displacement(i) * (spread(i) - m.spread); });
  m.spread_squares = spread_squares;
  m.displacement_with_spread = with_spread;
  if (window.sum.empty()) return m;
  const auto& sum = window.sum;
  m.sum = sums(n, [&](size_t i) { return sum[i]; })[0] / m.paths;
  const auto [sum_squares, with_sum] = sums(
      n,
      [&](size_t i) {
        const double d = sum[i] - m.sum;
        return d * d;
      },
      [&](size_t i) { return displacement(i) * (sum[i] - m.sum); });
  m.sum_squares = sum_squares;
  m.displacement_with_sum = with_sum;
  return m;
}

HalfMoments halves(const Window& window) {
  const size_t n = window.start.size();
  const auto first = [&](size_t i) {
    const double time = window.middle_time[i];
    return time > 0 ? (window.middle[i] - window.start[i]) / (time - window.transient_steps)
                    : (window.end[i] - window.start[i]) / (window.total_steps - window.transient_steps);
  };
  const auto second = [&](size_t i) {
    const double time = window.middle_time[i];
    return time > 0 ? (window.end[i] - window.middle[i]) / (window.total_steps - time) : first(i);
  };
  HalfMoments m;
  m.paths = static_cast<double>(n);
  const auto [firsts, seconds] = sums(n, first, second);
  m.first = firsts / m.paths, m.second = seconds / m.paths;
  const double change = m.second - m.first;
  const auto squared = [](double x) { return x * x; };
  const auto [first_squares, second_squares, change_squares] = sums(
      n, [&](size_t i) { return squared(first(i) - m.first); }, [&](size_t i) { return squared(second(i) - m.second); },
      [&](size_t i) { return squared(second(i) - first(i) - change); });
  m.first_squares = first_squares, m.second_squares = second_squares, m.change_squares = change_squares;
  return m;
}

// T. F. Chan, G. H. Golub, R. J. LeVeque, Am. Stat. 37, 242 (1983).
void HalfMoments::add(const HalfMoments& more) {
  const double all = paths + more.paths;
  if (more.paths == 0) return;
  const double d1 = more.first - first, d2 = more.second - second, d = d2 - d1, both = paths * more.paths / all;
  first += d1 * more.paths / all, second += d2 * more.paths / all;
  first_squares += more.first_squares + d1 * d1 * both;
  second_squares += more.second_squares + d2 * d2 * both;
  change_squares += more.change_squares + d * d * both;
  paths = all;
}

}  // namespace bmsim
