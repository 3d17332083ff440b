// Moments of the window over the paths of a bundle. The host (core/observe/moments.cc) and a GPU (cuda/entry.h) compile
// this text, and make every sum in the same order, so that both give the same bits.
#pragma once
#include "integers.h"

namespace bmsim_abi {

/// Moments of the displacement d = end - start, of the spread q = (end - <end>)^2 - (start - <start>)^2, and of the sum
/// s that a path has (Window::sum); and those of the start, which are needed to put bundles together.
struct WindowMoments {
  double paths = 0;
  double displacement = 0;              ///< <d>
  double displacement_squares = 0;      ///< sum of (d - <d>)^2
  double spread = 0;                    ///< <q>
  double spread_squares = 0;            ///< sum of (q - <q>)^2
  double sum = 0;                       ///< <s>
  double sum_squares = 0;               ///< sum of (s - <s>)^2
  double displacement_with_sum = 0;     ///< sum of (d - <d>)(s - <s>)
  double displacement_with_spread = 0;  ///< sum of (d - <d>)(q - <q>)
  double start = 0;                     ///< <start>
  double start_squares = 0;             ///< sum of (start - <start>)^2
  double start_with_displacement = 0;   ///< sum of (start - <start>)(d - <d>)
  double start_with_spread = 0;         ///< sum of (start - <start>)(q - <q>)
};

/// Moments of the mean velocities u1 and u2 of a path in the first and the second half of the window, and of the
/// widening w = t2 (u2 - <u2>)^2 - t1 (u1 - <u1>)^2, where t1 and t2 are the mean durations of the halves: <w>/2 is
/// what the diffusion coefficient of the second half is above that of the first.
struct HalfMoments {
  double paths = 0;
  double first = 0, second = 0;                  ///< <u1>, <u2>
  double first_squares = 0, second_squares = 0;  ///< sums of (u1 - <u1>)^2, (u2 - <u2>)^2
  double change_squares = 0;                     ///< the same for u2 - u1
  double first_time = 0, second_time = 0;        ///< t1, t2
  double widening = 0;                           ///< <w>
  double widening_squares = 0;                   ///< sum of (w - <w>)^2
  double first_with_widening = 0;                ///< sum of (u1 - <u1>)(w - <w>)
  double second_with_widening = 0;               ///< sum of (u2 - <u2>)(w - <w>)
  double first_spread = 0;     ///< t1 times the mean of (u1 - <u1>)^2, twice the diffusion coefficient
  double product_squares = 0;  ///< sum of (u1 - <u1>)^2 (u2 - <u2>)^2; of several bundles, with the means of each
};

/// What a GPU gives of a bundle.
struct BundleMoments {
  WindowMoments window;
  HalfMoments halves;
};

/// What a path gives to WindowMoments.
struct PathEnds {
  double start, end, sum;
};
/// What a path gives to HalfMoments: its mean velocities in both halves of the window, and the duration of the first.
struct PathHalves {
  double first, second, first_time;
};

/// Times in steps from the start of the run; middle_time 0: the path does not know its middle, and both halves have the
/// same velocity. transient: steps before the window. total: steps of the run.
BM_SHARED_FN PathHalves path_halves(double start, double middle, double end, double middle_time, double transient,
                                    double total) {
  if (!(middle_time > 0)) {
    const double mean = (end - start) / (total - transient);
    return {mean, mean, (total - transient) * 0.5};
  }
  const double first_time = middle_time - transient;
  return {(middle - start) / first_time, (end - middle) / (total - middle_time), first_time};
}

BM_SHARED_FN double squared(double x) { return x * x; }

/// paths.add_up(sums, f): sets sums[0 ... N - 1] to the sums over all paths of what f(path, out) puts into out, where
/// path is a PathEnds; paths.count: how many there are.
template <class Paths> BM_SHARED_FN WindowMoments window_moments(const Paths& paths) {
  const double n = (double)paths.count;
  double means[4];
  paths.add_up(means, [](const PathEnds& path, double* out) {
    out[0] = path.start, out[1] = path.end, out[2] = path.end - path.start, out[3] = path.sum;
  });
  const double start = means[0] / n, end = means[1] / n, displacement = means[2] / n, sum = means[3] / n;
  const auto spread_of = [=](const PathEnds& path) { return squared(path.end - end) - squared(path.start - start); };
  double squares[6];
  paths.add_up(squares, [=](const PathEnds& path, double* out) {
    const double d = path.end - path.start - displacement, s = path.sum - sum, from = path.start - start;
    out[0] = spread_of(path), out[1] = squared(d), out[2] = squared(s), out[3] = squared(from);
    out[4] = d * s, out[5] = from * d;
  });
  const double spread = squares[0] / n;
  double of_spread[3];
  paths.add_up(of_spread, [=](const PathEnds& path, double* out) {
    const double excess = spread_of(path) - spread;
    out[0] = squared(excess), out[1] = (path.end - path.start - displacement) * excess;
    out[2] = (path.start - start) * excess;
  });
  return {.paths = n,
          .displacement = displacement,
          .displacement_squares = squares[1],
          .spread = spread,
          .spread_squares = of_spread[0],
          .sum = sum,
          .sum_squares = squares[2],
          .displacement_with_sum = squares[4],
          .displacement_with_spread = of_spread[1],
          .start = start,
          .start_squares = squares[3],
          .start_with_displacement = squares[5],
          .start_with_spread = of_spread[2]};
}

/// The same of PathHalves. length: steps of the window.
template <class Paths> BM_SHARED_FN HalfMoments half_moments(const Paths& paths, double length) {
  const double n = (double)paths.count;
  double means[3];
  paths.add_up(means, [](const PathHalves& path, double* out) {
    out[0] = path.first, out[1] = path.second, out[2] = path.first_time;
  });
  const double first = means[0] / n, second = means[1] / n, first_time = means[2] / n;
  const double second_time = length - first_time, change = second - first;
  double squares[3];
  paths.add_up(squares, [=](const PathHalves& path, double* out) {
    out[0] = squared(path.first - first), out[1] = squared(path.second - second);
    out[2] = squared(path.second - path.first - change);
  });
  const double widening = (second_time * squares[1] - first_time * squares[0]) / n;
  double of_widening[4];
  paths.add_up(of_widening, [=](const PathHalves& path, double* out) {
    const double a = path.first - first, b = path.second - second;
    const double excess = second_time * squared(b) - first_time * squared(a) - widening;
    out[0] = squared(excess), out[1] = a * excess, out[2] = b * excess, out[3] = squared(a * b);
  });
  return {.paths = n,
          .first = first,
          .second = second,
          .first_squares = squares[0],
          .second_squares = squares[1],
          .change_squares = squares[2],
          .first_time = first_time,
          .second_time = second_time,
          .widening = widening,
          .widening_squares = of_widening[0],
          .first_with_widening = of_widening[1],
          .second_with_widening = of_widening[2],
          .first_spread = first_time * squares[0] / n,
          .product_squares = of_widening[3]};
}

}  // namespace bmsim_abi
