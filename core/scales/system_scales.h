// Time scales of a system's motion, for choosing steps.
#pragma once
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "numbers.h"
#include "scales/changes.h"

namespace bmsim {

/// A place of a variable without inertia at which its rate of change jumps, wherever the other variables are.
struct OwnJump {
  size_t variable;
  double x, left, right;  ///< the place, and the rates on both sides, averaged over the paths that came by
  double D;               ///< of the white noise there
};

/// Time scales of the states that short paths visit on the host.
struct SystemScales {
  double relaxing = infinity;   ///< 1 / largest size of the forces' Jacobian; INFINITY without forces
  double crossing = infinity;   ///< shortest time in which the Jacobian changes by its own size because of the motion
  double diffusing = infinity;  ///< shortest time in which the Jacobian changes by its own size because of white noise
  /// Shortest time in which motion or noise, on one side of a bend of a force, changes the force by its size.
  double bending = infinity;
  double pressing = infinity;   ///< shortest D/f^2 where forces jump, f on one of the sides; INFINITY if none does
  double reversing = infinity;  ///< shortest time in which a jump of forces turns inertia round: turning_time
  double halting = infinity;    ///< shortest v/f there: like reversing, without the heating by steps
  std::vector<OwnJump> own_jumps;
  double blurring = infinity;   ///< shortest time in which noise changes its own amplitude by its size
  double averaging = infinity;  ///< shortest time in which noise crosses the length over which its amplitude changes
  /// Shortest time in which noise crosses a kink of its amplitude: 1/(2D (jump of b')^2). The second one is for noise
  /// on velocities.
  double kinks = 0, kinks_of_velocities = 0;
  /// At jumps of amplitudes where paths have been, near there, and in pieces between two jumps: see AmplitudeJumps.
  double sides_of_amplitudes = 0, sides_beyond = 0, crossing_of_amplitudes = 0, changing_in_pieces = 0,
         changing_in_wide_pieces = 0, pushed_in_pieces = 0;
  /// Shortest time in which noise with amplitudes turns differences between states round: positions change velocities
  /// through the noise, and velocities change positions.
  double turning = infinity;
  /// Smallest sqrt(rate/omega^3) of an oscillation; INFINITY without any. omega: its angular frequency. rate: the
  /// average rate at which it is damped or grows, but at least 1/duration. With dt = this time, the relative error
  /// (omega dt)^2 of the frequency is rate/omega, the width of the line.
  double keeping_phase = infinity;
  /// Real part and omega of the eigenvalues with the largest real part, if they are the same at all states; 0 if not.
  /// Distances between paths grow at this rate all the time, without scatter.
  double leading_rate = 0, leading_omega = 0;
  double hidden_blurring = infinity;  ///< blurring at states that paths may have missed; INFINITY if there are none
  double waiting = infinity;          ///< 1 / the highest rate of an event, or the shortest interval
  /// over_rate: shortest time in which motion or noise takes a path over the width of a hump, or a dip, of the rate of
  /// an event. Only those count that are too narrow for steps by `waiting`. resolving: over_rate or, if longer, 0.08 of
  /// 1/rate; it counts even where steps cannot be as short as over_rate.
  double over_rate = 0, resolving = 0;
  double between = 0;  ///< mean time from an event to one at a zero of a formula, by the event with the shortest
  double speed = 0;    ///< largest speed of a variable, in lengths of the kernel
  /// A position or a velocity: the largest rate of change without white noise, the largest size, and the region in
  /// which structure was looked for.
  struct Extent {
    double rate = 0, size = 0, low = 0, high = 0;
  };
  std::vector<Extent> extents;   ///< of all variables, then of the velocities of those with inertia
  std::string unsure;            ///< a component for which the search for structure was not conclusive; "" if none
  std::string unsure_at;         ///< the state near which it was not
  std::string doubtful;          ///< a component of more than three coordinates, for which there is less doubt
  bool unsure_of_jumps = false;  ///< whether the search for jumps of an amplitude was not conclusive
  double spread = 0;             ///< largest standard deviation of a displacement by noise in unit time, in lengths
  bool of_another = false;       ///< found at another place of the sweep, which may move otherwise
};
/// duration: of the run. times: ascending; if there are several, the motion is looked at at all of them. closely: more
/// of the run is looked at.
SystemScales scales_of(const Model& model, const ModelValues& values, const SystemStart& start, double duration,
                       std::span<const double> times, bool closely);

/// The scales of the first steps of two paths. They tell whether a place moves as another one with nearly the same
/// parameters does (scales/alike.h).
SystemScales first_scales_of(const Model& model, const ModelValues& values, const SystemStart& start, double duration);

/// Least and greatest positions, at every time, of short paths of a model of one variable that start in an interval.
std::vector<std::pair<double, double>> positions_at(const Model& model, const ModelValues& values,
                                                    std::pair<double, double> starts, std::span<const double> times);

}  // namespace bmsim
