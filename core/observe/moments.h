// Moments of the window over the paths of a point: all that most observables of the window need. Summed in double and
// in one fixed order, bundle by bundle of paths, so that every device, every batch and every division of a point gives
// the same bits (kernels/cuda/entry.h does the same on the GPU).
#pragma once
#include <functional>
#include <limits>
#include <map>
#include <span>
#include <string>

#include "kernels/abi.h"
#include "numbers.h"

namespace bmsim {

/// Paths of a bundle: the moments of so many paths in a row are those of one sum, and of all bundles of a point, the
/// last of which may have fewer paths, they are put together.
constexpr size_t bundle_paths = bmsim_abi::BUNDLE_PATHS;

/// What the window gave, path by path. Positions at its two ends, in units of length and unfolded; of underdamped
/// particles also the last velocity. sum: of v^2 over the steps of the window; of methods without steps the
/// displacement by all but V (docs/exact-walk.md). Shape (paths), or empty. duration: length of the window in time.
/// Displacements of the perturbed paths, and the values of counters, are there if Needs ask for them. NaN if a path
/// diverged.
struct Window {
  std::span<const double> start, end, velocity, sum;
  double duration;
  double steps;
  std::span<const double> perturbed{};
  /// Values of counters, as "first_passage.time", in the units of the kernel: times in steps of dt, from the start of
  /// the run.
  std::map<std::string, std::span<const double>, std::less<>> counted{};
  double dt = 0, transient_steps = 0, total_steps = 0;
  /// Near the middle of the window: positions, and the times there in steps from the start of the run, 0 where a path
  /// does not know it. Empty unless the halves of the window are compared.
  std::span<const double> middle{}, middle_time{};
};

/// Moments of the displacement d = end - start, of the spread q = (end - <end>)^2 - (start - <start>)^2, and of the sum
/// s, Window::sum; and those of the start, which are needed to put bundles together.
struct WindowMoments {
  double paths = nan;
  double displacement = nan;              ///< <d>
  double displacement_squares = nan;      ///< sum of (d - <d>)^2
  double spread = nan;                    ///< <q>
  double spread_squares = nan;            ///< sum of (q - <q>)^2
  double sum = nan;                       ///< <s>
  double sum_squares = nan;               ///< sum of (s - <s>)^2
  double displacement_with_sum = nan;     ///< sum of (d - <d>)(s - <s>)
  double displacement_with_spread = nan;  ///< sum of (d - <d>)(q - <q>)
  double start = nan;                     ///< <start>
  double start_squares = nan;             ///< sum of (start - <start>)^2
  double start_with_displacement = nan;   ///< sum of (start - <start>)(d - <d>)
  double start_with_spread = nan;         ///< sum of (start - <start>)(q - <q>)
};

/// Of paths first ... first + paths - 1, a bundle, in one sum.
WindowMoments moments(const Window& window, size_t first, size_t paths);
/// Of all paths of several bundles.
WindowMoments together(std::span<const WindowMoments> bundles);

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
  void add(const HalfMoments& more);  ///< those of other paths
};
/// Times in steps. Of paths that do not know their middle both halves have the same velocity. Bundles as above.
HalfMoments halves(const Window& window, size_t first, size_t paths);
HalfMoments together(std::span<const HalfMoments> bundles);

}  // namespace bmsim
