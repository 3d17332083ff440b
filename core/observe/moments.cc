#include "observe/moments.h"

#include <array>
#include <vector>

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

WindowMoments moments(const Window& window, size_t first, size_t n) {
  const double *const start = window.start.data() + first, *const end = window.end.data() + first;
  WindowMoments m;
  m.paths = static_cast<double>(n);
  const auto [starts, ends, displacements] = sums(
      n, [&](size_t i) { return start[i]; }, [&](size_t i) { return end[i]; },
      [&](size_t i) { return end[i] - start[i]; });
  const double after = ends / m.paths;
  m.start = starts / m.paths;
  m.displacement = displacements / m.paths;
  const auto from = [&](size_t i) { return start[i] - m.start; };
  const auto displacement = [&](size_t i) { return end[i] - start[i] - m.displacement; };
  const auto spread = [&](size_t i) {
    const double e = end[i] - after, s = from(i);
    return e * e - s * s;
  };
  const auto squared = [](double x) { return x * x; };
  const auto [spreads, displacement_squares, start_squares, start_with_displacement] = sums(
      n, spread, [&](size_t i) { return squared(displacement(i)); }, [&](size_t i) { return squared(from(i)); },
      [&](size_t i) { return from(i) * displacement(i); });
  m.spread = spreads / m.paths;
  m.displacement_squares = displacement_squares;
  m.start_squares = start_squares;
  m.start_with_displacement = start_with_displacement;
  const auto excess = [&](size_t i) { return spread(i) - m.spread; };
  const auto [spread_squares, with_spread, start_with_spread] = sums(
      n, [&](size_t i) { return squared(excess(i)); }, [&](size_t i) { return displacement(i) * excess(i); },
      [&](size_t i) { return from(i) * excess(i); });
  m.spread_squares = spread_squares;
  m.displacement_with_spread = with_spread;
  m.start_with_spread = start_with_spread;
  if (window.sum.empty()) return m;
  const double* const sum = window.sum.data() + first;
  m.sum = sums(n, [&](size_t i) { return sum[i]; })[0] / m.paths;
  const auto [sum_squares, with_sum] = sums(
      n, [&](size_t i) { return squared(sum[i] - m.sum); },
      [&](size_t i) { return displacement(i) * (sum[i] - m.sum); });
  m.sum_squares = sum_squares;
  m.displacement_with_sum = with_sum;
  return m;
}

// Let a path begin at b and end at a, both from the means of its bundle, and let these be at distances s and e from
// those of all paths. Its spread is (a + e)^2 - (b + s)^2 = a^2 - b^2 + 2 b (e - s) + 2 (a - b) e + e^2 - s^2.
WindowMoments together(std::span<const WindowMoments> bundles) {
  if (bundles.size() == 1) return bundles[0];
  const auto mean = [&](double n, auto value) {
    double sum = 0;
    for (const WindowMoments& one : bundles) sum += one.paths * value(one);
    return sum / n;
  };
  WindowMoments all;
  all.paths = 0;
  for (const WindowMoments& one : bundles) all.paths += one.paths;
  all.start = mean(all.paths, [](const WindowMoments& one) { return one.start; });
  all.displacement = mean(all.paths, [](const WindowMoments& one) { return one.displacement; });
  all.sum = mean(all.paths, [](const WindowMoments& one) { return one.sum; });
  const auto spread = [&](const WindowMoments& one) {
    const double s = one.start - all.start, d = one.displacement - all.displacement;
    return one.spread + d * (2 * s + d);
  };
  all.spread = mean(all.paths, spread);
  for (double* sum :
       {&all.displacement_squares, &all.spread_squares, &all.sum_squares, &all.displacement_with_sum,
        &all.displacement_with_spread, &all.start_squares, &all.start_with_displacement, &all.start_with_spread})
    *sum = 0;
  for (const WindowMoments& one : bundles) {
    const double n = one.paths, s = one.start - all.start, d = one.displacement - all.displacement, e = s + d;
    const double q = spread(one) - all.spread, excess = one.sum - all.sum;
    all.displacement_squares += one.displacement_squares + n * d * d;
    all.start_squares += one.start_squares + n * s * s;
    all.start_with_displacement += one.start_with_displacement + n * s * d;
    all.spread_squares +=
        one.spread_squares + n * q * q + 4 * (d * one.start_with_spread + e * one.displacement_with_spread) +
        4 * (d * d * one.start_squares + 2 * d * e * one.start_with_displacement + e * e * one.displacement_squares);
    all.displacement_with_spread +=
        one.displacement_with_spread + n * d * q + 2 * (d * one.start_with_displacement + e * one.displacement_squares);
    all.start_with_spread +=
        one.start_with_spread + n * s * q + 2 * (d * one.start_squares + e * one.start_with_displacement);
    all.sum_squares += one.sum_squares + n * excess * excess;
    all.displacement_with_sum += one.displacement_with_sum + n * d * excess;
  }
  return all;
}

HalfMoments halves(const Window& window, size_t from, size_t n) {
  const double all = window.total_steps - window.transient_steps;
  std::vector<double> u1(n), u2(n), t1(n);
  for (size_t k = 0; k < n; ++k) {
    const size_t i = from + k;
    const double middle = window.middle_time[i];
    if (middle > 0) {
      t1[k] = middle - window.transient_steps;
      u1[k] = (window.middle[i] - window.start[i]) / t1[k];
      u2[k] = (window.end[i] - window.middle[i]) / (window.total_steps - middle);
    } else {
      t1[k] = all / 2;
      u1[k] = u2[k] = (window.end[i] - window.start[i]) / all;
    }
  }
  const auto of = [](const std::vector<double>& values) { return [&](size_t k) { return values[k]; }; };
  const auto first = of(u1), second = of(u2);
  HalfMoments m;
  m.paths = static_cast<double>(n);
  const auto [firsts, seconds, times] = sums(n, first, second, of(t1));
  m.first = firsts / m.paths, m.second = seconds / m.paths;
  m.first_time = times / m.paths, m.second_time = all - m.first_time;
  const double change = m.second - m.first;
  const auto squared = [](double x) { return x * x; };
  const auto [first_squares, second_squares, change_squares] = sums(
      n, [&](size_t i) { return squared(first(i) - m.first); }, [&](size_t i) { return squared(second(i) - m.second); },
      [&](size_t i) { return squared(second(i) - first(i) - change); });
  m.first_squares = first_squares, m.second_squares = second_squares, m.change_squares = change_squares;
  m.widening = (m.second_time * second_squares - m.first_time * first_squares) / m.paths;
  const auto excess = [&](size_t i) {
    return m.second_time * squared(second(i) - m.second) - m.first_time * squared(first(i) - m.first) - m.widening;
  };
  const auto [widening_squares, with_first, with_second, product_squares] = sums(
      n, [&](size_t i) { return squared(excess(i)); }, [&](size_t i) { return (first(i) - m.first) * excess(i); },
      [&](size_t i) { return (second(i) - m.second) * excess(i); },
      [&](size_t i) { return squared((first(i) - m.first) * (second(i) - m.second)); });
  m.widening_squares = widening_squares;
  m.first_with_widening = with_first, m.second_with_widening = with_second;
  m.first_spread = m.first_time * m.first_squares / m.paths;
  m.product_squares = product_squares;
  return m;
}

// Let a path have the velocities a and b, from the means of its bundle, and let these be at distances d and e from
// those of all paths. Its widening is
//   t2 (b + e)^2 - t1 (a + d)^2 = t2 b^2 - t1 a^2 + 2 (t2 e b - t1 d a) + t2 e^2 - t1 d^2.
// Durations differ from bundle to bundle by chance alone; each bundle keeps its own.
HalfMoments together(std::span<const HalfMoments> bundles) {
  if (bundles.size() == 1) return bundles[0];
  HalfMoments all;
  for (const HalfMoments& one : bundles) all.paths += one.paths;
  const auto mean = [&](auto value) {
    double sum = 0;
    for (const HalfMoments& one : bundles) sum += one.paths * value(one);
    return sum / all.paths;
  };
  all.first = mean([](const HalfMoments& one) { return one.first; });
  all.second = mean([](const HalfMoments& one) { return one.second; });
  all.first_time = mean([](const HalfMoments& one) { return one.first_time; });
  all.second_time = mean([](const HalfMoments& one) { return one.second_time; });
  const auto widening = [&](const HalfMoments& one) {
    const double d = one.first - all.first, e = one.second - all.second;
    return one.widening + one.second_time * e * e - one.first_time * d * d;
  };
  all.widening = mean(widening);
  all.first_spread = mean([&](const HalfMoments& one) {
    const double d = one.first - all.first;
    return one.first_spread + one.first_time * d * d;
  });
  for (const HalfMoments& one : bundles) {
    const double n = one.paths, d = one.first - all.first, e = one.second - all.second,
                 w = widening(one) - all.widening;
    const double by_first = -one.first_time * d, by_second = one.second_time * e;  // of half the change of w
    const double both = (one.first_squares + one.second_squares - one.change_squares) / 2;
    const double with_first = by_first * one.first_squares + by_second * both;
    const double with_second = by_first * both + by_second * one.second_squares;
    all.first_squares += one.first_squares + n * d * d;
    all.second_squares += one.second_squares + n * e * e;
    all.change_squares += one.change_squares + n * (e - d) * (e - d);
    all.widening_squares += one.widening_squares + n * w * w +
                            4 * (by_first * one.first_with_widening + by_second * one.second_with_widening) +
                            4 * (by_first * with_first + by_second * with_second);
    all.first_with_widening += one.first_with_widening + 2 * with_first + n * d * w;
    all.second_with_widening += one.second_with_widening + 2 * with_second + n * e * w;
    all.product_squares += one.product_squares;
  }
  return all;
}

void HalfMoments::add(const HalfMoments& more) {
  if (more.paths == 0) return;
  *this = paths == 0 ? more : together(std::array{*this, more});
}

}  // namespace bmsim
