// Jumps of amplitudes of white noise, and of forces in narrow pieces: the times that a step must resolve there.
#pragma once
#include "numbers.h"
#include "scales/short_motion.h"

namespace bmsim::short_paths {

/// Times at the jumps of amplitudes in a region; INFINITY where there are none.
///
/// With Ito's rule, steps h displace a jump of the noise strength from b to b': in the stationary law of the steps it
/// lies farther into the side where noise is weaker, by 0.5826 sqrt(2h) |b' - b|. b is that of noise across the jump.
struct AmplitudeJumps {
  /// The shortest time in which noise of the strength |b' - b| crosses the room that paths have on one side of a jump:
  /// half of a piece between two jumps, the distance to a wall, or the length over which the density changes.
  double sides = infinity;
  double sides_beyond = infinity;  ///< like sides, for jumps near where paths have been, but beyond it
  /// Pieces in which another coordinate has other noise. crossing: the shortest time in which paths cross one.
  /// changing: the shortest in which the noise there changes the other coordinate by a part of its range, or the
  /// crossing time if that is longer. changing_five: like changing, with five times the crossing time.
  double crossing = infinity, changing = infinity, changing_five = infinity;
  /// Narrow pieces between two jumps of a force. pressing: the shortest D/f^2. turning: the shortest v/f of paths with
  /// inertia. pushed: the shortest time in which a force on another coordinate takes it through a part of its range, or
  /// the crossing time if that is longer.
  double pressing = infinity, turning = infinity, pushed = infinity;
  const Component* unsure = nullptr;  ///< an amplitude for which the search ended before it was sure; null if none
  State unsure_at{};

  void add(const AmplitudeJumps& other);          ///< keeps the shorter of both, time by time
  void add_longest(const AmplitudeJumps& other);  ///< keeps the longer of those that are finite
};

/// visited: where paths have been. reach: where they may come, which is searched. rates: the largest that paths had.
/// first: whether t is the first of several times; at the others only what depends on time is searched.
AmplitudeJumps amplitude_jumps(const Model& model, const ModelValues& values, const Motion& motion,
                               const Range& visited, const Range& reach, const State& rates, double t, bool first);

}  // namespace bmsim::short_paths
