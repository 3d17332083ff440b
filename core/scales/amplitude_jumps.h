// Where amplitudes of white noise jump, and forces, in narrow pieces: what a step must resolve there.
#pragma once
#include <limits>
#include <utility>

#include "scales/short_motion.h"

namespace bmsim::short_paths {

/// Times at the jumps of amplitudes in a region; INFINITY where there are none.
///
/// After Ito a step h moves the place where the strength b of the noise along its own way jumps from b to b', as the
/// stationary law of the steps sees it, into the side where noise is weaker: by 0.5826 sqrt(2h) |b' - b|.
struct AmplitudeJumps {
  /// The shortest time in which noise of the strength |b' - b| crosses what paths have of a side: half of a piece
  /// between two jumps, the way to a wall, or that over which the density changes.
  double sides = std::numeric_limits<double>::infinity();
  /// The same of jumps beyond where paths have been, but near it.
  double sides_beyond = std::numeric_limits<double>::infinity();
  /// The shortest in which paths cross a piece in which another coordinate has other noise. And the shortest in which
  /// that noise changes the other coordinate by a part of its range, or paths cross the piece if that is longer, or
  /// five times as long.
  double crossing = std::numeric_limits<double>::infinity(), changing = std::numeric_limits<double>::infinity(),
         changing_five = std::numeric_limits<double>::infinity();
  /// Of narrow pieces between two jumps of a force: the shortest D/f^2; v/f of paths with inertia; and that in which a
  /// force on another coordinate takes it through a part of its range, or paths cross the piece if that is longer.
  double pressing = std::numeric_limits<double>::infinity(), turning = std::numeric_limits<double>::infinity(),
         pushed = std::numeric_limits<double>::infinity();
  const Component* unsure = nullptr;  ///< an amplitude, if some, of which the search ended before it was sure
  State unsure_at{};

  void add(const AmplitudeJumps& other);
  void add_longest(const AmplitudeJumps& other);
};

/// Ranges of states.
struct Range {
  State low{}, high{};
};
/// visited: by paths; reach: what is looked at, all of what paths may visit. rates: the largest that paths had. first:
/// of some times; at others only what depends on time is looked at.
AmplitudeJumps amplitude_jumps(const Model& model, const ModelValues& values, const Motion& motion,
                               const Range& visited, const Range& reach, const State& rates, double t, bool first);

}  // namespace bmsim::short_paths
