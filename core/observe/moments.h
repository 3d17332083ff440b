// Moments of the window over the paths of a point: all that most observables of the window need. Summed in double and
// in one fixed order, bundle by bundle of paths, so that every device, every batch and every division of a point gives
// the same bits (kernels/moments.h is for the host and for a GPU).
#pragma once
#include <functional>
#include <map>
#include <span>
#include <string>

#include "kernels/abi.h"
#include "kernels/moments.h"
#include "numbers.h"

namespace bmsim {

/// Paths of a bundle: the moments of so many paths in a row are those of one sum, and of all bundles of a point, the
/// last of which may have fewer paths, they are put together.
constexpr size_t bundle_paths = bmsim_abi::BUNDLE_PATHS;

/// What the window gave, path by path. Positions at its two ends, in units of length and unfolded; of underdamped
/// particles also the last velocity. sum: of v^2 over the steps of the window; of methods without steps the
/// displacement by all but V (docs/exact-walk.md). Shape (paths), or empty. duration: length of the window in time.
/// Perturbed paths and counters are there if Needs ask for them. NaN if a path diverged.
struct Window {
  std::span<const double> start, end, velocity, sum;
  double duration;
  double steps;
  std::span<const double> perturbed{};
  /// Values of counters, as "first_passage.time", in the kernel's units: times in steps of dt, from the start.
  std::map<std::string, std::span<const double>, std::less<>> counted{};
  double dt = 0, transient_steps = 0, total_steps = 0;
  /// Near the middle of the window: positions, and the times there in steps from the start of the run, 0 where a path
  /// does not know it. Empty unless the halves of the window are compared.
  std::span<const double> middle{}, middle_time{};
};

using bmsim_abi::BundleMoments;
using bmsim_abi::HalfMoments;
using bmsim_abi::WindowMoments;

/// Where none are needed.
constexpr WindowMoments unknown_moments = {nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan, nan};
/// Of paths first ... first + paths - 1, a bundle, in one sum.
WindowMoments moments(const Window& window, size_t first, size_t paths);
/// Of all paths of several bundles.
WindowMoments together(std::span<const WindowMoments> bundles);

/// Times in steps. Of paths that do not know their middle both halves have the same velocity. Bundles as above.
HalfMoments halves(const Window& window, size_t first, size_t paths);
HalfMoments together(std::span<const HalfMoments> bundles);
/// Adds those of other paths.
void add_paths(HalfMoments& to, const HalfMoments& more);

}  // namespace bmsim
