#include "observe/moments.h"

#include <array>
#include <vector>

namespace bmsim {

namespace {

constexpr size_t threads = 256;  // as many partial sums as a block of the GPU's kernel has threads

/// The paths of a bundle, which path(i) tells, for the text that host and GPU share.
template <class F> struct PathsOf {
  size_t count;
  F path;

  template <size_t N, class Out> void add_up(double (&sums)[N], Out f) const {
    std::array<std::array<double, threads>, N> partial{};
    const auto add = [&](size_t first, size_t some) {
      for (size_t t = 0; t < some; ++t) {
        double out[N];
        f(path(first + t), out);
        for (size_t k = 0; k < N; ++k) partial[k][t] += out[k];
      }
    };
    size_t i = 0;
    for (; i + threads <= count; i += threads) add(i, threads);
    add(i, count - i);
    for (size_t k = 0; k < N; ++k) {
      for (size_t half = threads / 2; half > 0; half /= 2)
        for (size_t t = 0; t < half; ++t) partial[k][t] += partial[k][t + half];
      sums[k] = partial[k][0];
    }
  }
};
template <class F> PathsOf(size_t, F) -> PathsOf<F>;

}  // namespace

WindowMoments moments(const Window& window, size_t first, size_t n) {
  const double *const start = window.start.data() + first, *const end = window.end.data() + first;
  const auto ends = [=](double sum, size_t i) -> bmsim_abi::PathEnds { return {start[i], end[i], sum}; };
  if (!window.sum.empty()) {
    const double* const sum = window.sum.data() + first;
    return bmsim_abi::window_moments(PathsOf{n, [=](size_t i) { return ends(sum[i], i); }});
  }
  WindowMoments m = bmsim_abi::window_moments(PathsOf{n, [=](size_t i) { return ends(0, i); }});
  m.sum = m.sum_squares = m.displacement_with_sum = nan;
  return m;
}

// Let a path begin at b and end at a, both from the means of its bundle, and let these be at distances s and e from
// those of all paths. Its spread is (a + e)^2 - (b + s)^2 = a^2 - b^2 + 2 b (e - s) + 2 (a - b) e + e^2 - s^2.
WindowMoments together(std::span<const WindowMoments> bundles) {
  if (bundles.size() == 1) return bundles[0];
  const auto mean = [&](double n, auto value) {
    double sum = 0;
    for (const WindowMoments& bundle : bundles) sum += bundle.paths * value(bundle);
    return sum / n;
  };
  WindowMoments all;
  for (const WindowMoments& bundle : bundles) all.paths += bundle.paths;
  all.start = mean(all.paths, [](const WindowMoments& bundle) { return bundle.start; });
  all.displacement = mean(all.paths, [](const WindowMoments& bundle) { return bundle.displacement; });
  all.sum = mean(all.paths, [](const WindowMoments& bundle) { return bundle.sum; });
  const auto spread = [&](const WindowMoments& bundle) {
    const double s = bundle.start - all.start, d = bundle.displacement - all.displacement;
    return bundle.spread + d * (2 * s + d);
  };
  all.spread = mean(all.paths, spread);
  for (const WindowMoments& bundle : bundles) {
    const double n = bundle.paths, s = bundle.start - all.start, d = bundle.displacement - all.displacement, e = s + d;
    const double q = spread(bundle) - all.spread, excess = bundle.sum - all.sum;
    all.displacement_squares += bundle.displacement_squares + n * d * d;
    all.start_squares += bundle.start_squares + n * s * s;
    all.start_with_displacement += bundle.start_with_displacement + n * s * d;
    all.spread_squares += bundle.spread_squares + n * q * q +
                          4 * (d * bundle.start_with_spread + e * bundle.displacement_with_spread) +
                          4 * (d * d * bundle.start_squares + 2 * d * e * bundle.start_with_displacement +
                               e * e * bundle.displacement_squares);
    all.displacement_with_spread += bundle.displacement_with_spread + n * d * q +
                                    2 * (d * bundle.start_with_displacement + e * bundle.displacement_squares);
    all.start_with_spread +=
        bundle.start_with_spread + n * s * q + 2 * (d * bundle.start_squares + e * bundle.start_with_displacement);
    all.sum_squares += bundle.sum_squares + n * excess * excess;
    all.displacement_with_sum += bundle.displacement_with_sum + n * d * excess;
  }
  return all;
}

HalfMoments halves(const Window& window, size_t first, size_t n) {
  const double begin = window.transient_steps, total = window.total_steps;
  std::vector<bmsim_abi::PathHalves> paths;
  paths.reserve(n);
  for (size_t i = first; i < first + n; ++i)
    paths.push_back(
        bmsim_abi::path_halves(window.start[i], window.middle[i], window.end[i], window.middle_time[i], begin, total));
  const bmsim_abi::PathHalves* const of = paths.data();
  return bmsim_abi::half_moments(PathsOf{n, [=](size_t i) { return of[i]; }}, total - begin);
}

// Let a path have the velocities a and b, from the means of its bundle, and let these be at distances d and e from
// those of all paths. Its widening is
//   t2 (b + e)^2 - t1 (a + d)^2 = t2 b^2 - t1 a^2 + 2 (t2 e b - t1 d a) + t2 e^2 - t1 d^2.
// Durations differ from bundle to bundle by chance alone; each bundle keeps its own.
HalfMoments together(std::span<const HalfMoments> bundles) {
  if (bundles.size() == 1) return bundles[0];
  HalfMoments all;
  for (const HalfMoments& bundle : bundles) all.paths += bundle.paths;
  const auto mean = [&](auto value) {
    double sum = 0;
    for (const HalfMoments& bundle : bundles) sum += bundle.paths * value(bundle);
    return sum / all.paths;
  };
  all.first = mean([](const HalfMoments& bundle) { return bundle.first; });
  all.second = mean([](const HalfMoments& bundle) { return bundle.second; });
  all.first_time = mean([](const HalfMoments& bundle) { return bundle.first_time; });
  all.second_time = mean([](const HalfMoments& bundle) { return bundle.second_time; });
  const auto widening = [&](const HalfMoments& bundle) {
    const double d = bundle.first - all.first, e = bundle.second - all.second;
    return bundle.widening + bundle.second_time * e * e - bundle.first_time * d * d;
  };
  all.widening = mean(widening);
  all.first_spread = mean([&](const HalfMoments& bundle) {
    const double d = bundle.first - all.first;
    return bundle.first_spread + bundle.first_time * d * d;
  });
  for (const HalfMoments& bundle : bundles) {
    const double n = bundle.paths, d = bundle.first - all.first, e = bundle.second - all.second,
                 w = widening(bundle) - all.widening;
    const double by_first = -bundle.first_time * d, by_second = bundle.second_time * e;  // of half the change of w
    const double both = (bundle.first_squares + bundle.second_squares - bundle.change_squares) / 2;
    const double with_first = by_first * bundle.first_squares + by_second * both;
    const double with_second = by_first * both + by_second * bundle.second_squares;
    all.first_squares += bundle.first_squares + n * d * d;
    all.second_squares += bundle.second_squares + n * e * e;
    all.change_squares += bundle.change_squares + n * (e - d) * (e - d);
    all.widening_squares += bundle.widening_squares + n * w * w +
                            4 * (by_first * bundle.first_with_widening + by_second * bundle.second_with_widening) +
                            4 * (by_first * with_first + by_second * with_second);
    all.first_with_widening += bundle.first_with_widening + 2 * with_first + n * d * w;
    all.second_with_widening += bundle.second_with_widening + 2 * with_second + n * e * w;
    all.product_squares += bundle.product_squares;
  }
  return all;
}

void add_paths(HalfMoments& to, const HalfMoments& more) {
  if (more.paths == 0) return;
  to = to.paths == 0 ? more : together(std::array{to, more});
}

}  // namespace bmsim
