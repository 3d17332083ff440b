// Time scales of a system's motion, for choosing steps.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "scales/changes.h"

namespace bmsim {

/// A place of one variable without inertia at which its own rate of change jumps, wherever the others are.
struct OwnJump {
  size_t variable;
  double x, left, right;  ///< the rates on both sides, on average over those who came by
  double D;               ///< of the white noise there
};

/// Of the states that some short paths visit, on the host.
struct SystemScales {
  double relaxing = 0;   ///< 1 / largest size of the forces' Jacobian; INFINITY without forces
  double crossing = 0;   ///< shortest time in which the Jacobian changes by its own size because of the motion
  double diffusing = 0;  ///< the same because of the white noise
  double bending =
      0;  ///< the shortest in which motion or noise on one side of a bend of a force changes it by its size
  double pressing = 0;   ///< shortest D/f^2 where forces jump, f on one of the sides; INFINITY if none does
  double reversing = 0;  ///< shortest time in which a jump of forces turns motion with inertia round: turning_time
  double halting = 0;    ///< the same of v/f alone, without what heats
  std::vector<OwnJump> own_jumps;
  double blurring = 0;   ///< shortest time in which noise changes its own amplitude by its size
  double averaging = 0;  ///< the same in which noise crosses the length over which its amplitude changes
  /// Shortest time in which noise crosses a kink of its amplitude: 1/(2D (jump of b')^2); of noise on velocities.
  double kinks = 0, kinks_of_velocities = 0;
  /// At jumps of amplitudes where paths have been, and near it; and in pieces between two jumps (amplitude_jumps.h).
  double sides_of_amplitudes = 0, sides_beyond = 0, crossing_of_amplitudes = 0, changing_in_pieces = 0,
         changing_in_wide_pieces = 0, pushed_in_pieces = 0;
  /// Shortest time in which noise with amplitudes turns differences between states: it changes velocities by positions,
  /// which change positions.
  double turning = 0;
  /// Smallest sqrt(rate/omega^3) of an oscillation; INFINITY without any. omega: its angular frequency. rate: that at
  /// which it is damped, or grows, on average, or 1/duration if that is more. A relative error (omega dt)^2 of the
  /// frequency is an error rate/omega, the width of the line, at dt = this time.
  double keeping_phase = 0;
  /// Of the eigenvalues with the largest real part, where they are the same at all states: real part, and omega; 0 if
  /// there are none. Distances of paths grow at this rate all the time, without scatter.
  double leading_rate = 0, leading_omega = 0;
  double hidden_blurring = 0;  ///< blurring at states that no path need meet; INFINITY if there are none
  double waiting = 0;          ///< 1 / the highest rate of an event, or the shortest interval
  /// Shortest time in which motion or noise takes a path over the width of a hump, or a dip, of the rate of an event;
  /// of those alone that are narrow for steps by `waiting`. And a time that also counts where no step is so short:
  /// the longer of this and 0.08 of 1/that rate.
  double over_rate = 0, resolving = 0;
  double between = 0;  ///< mean time from an event to one at a zero of a formula, by the event with the shortest
  double speed = 0;    ///< largest speed of a variable, in lengths of the kernel
  /// Of a position or a velocity: the largest rate of change without white noise, and the largest size; and the region
  /// in which structure was looked for.
  struct Extent {
    double rate = 0, size = 0, low = 0, high = 0;
  };
  std::vector<Extent> extents;  ///< of all variables, then of the velocities of those with inertia
  std::string unsure;           ///< a component in which the search for such states ended without an answer; "" if none
  std::string unsure_at;        ///< and near which state
  std::string doubtful;         ///< the same of one of more than three coordinates, with less doubt
  bool unsure_of_jumps = false;  ///< of an amplitude, rather
  double spread = 0;  ///< largest standard deviation of a displacement by noise in a unit of time, in those lengths
};
/// duration: of the run. times: ascending, at which the motion is looked at, too, if there are others than 0. closely:
/// more of the run is looked at.
SystemScales scales_of(const Model& model, const ModelValues& values, const SystemStart& start, double duration,
                       std::span<const double> times, bool closely);

/// Least and greatest positions of some short paths of a model of one variable from starts x in an interval.
std::vector<std::pair<double, double>> positions_at(const Model& model, const ModelValues& values,
                                                    std::pair<double, double> starts, std::span<const double> times);

}  // namespace bmsim
