// Times that a step must resolve where a force jumps: at kinks of V, and wherever a force of a system is not
// continuous. Paths that the force presses to such a place stay in a layer, whose width noise determines.
#pragma once
#include <algorithm>
#include <cmath>

namespace bmsim {

/// The forces on both sides of a jump that makes layers, or the top of a barrier; 0 where paths pass through the jump.
struct JumpForces {
  double larger = 0, smaller = 0;
  /// The square of the force f in D/f^2. f is the force on the side where the layer is thinner, if this side holds at
  /// least a seventh of the paths. If it holds fewer, a step need only keep them from stepping over the layer on the
  /// other side, for which the geometric mean of both forces suffices.
  double square() const {
    constexpr double thinnest = 7;  // width of the thicker layer over that of the thinner one
    return larger * std::min(larger, thinnest * smaller);
  }
};

/// left, right: forces in the direction from left to right. weakest: the force that stands for what keeps paths near
/// the place where no force does: D over the room that they have.
inline JumpForces forces_at_jump(double left, double right, double weakest) {
  JumpForces forces = {std::max(std::abs(left), std::abs(right)), std::min(std::abs(left), std::abs(right))};
  const bool larger_presses = std::abs(left) > std::abs(right) ? left > 0 : right < 0, oppose = left * right < 0;
  if (larger_presses)
    forces.smaller = std::min(std::max(oppose ? forces.smaller : 0, weakest), forces.larger);
  else if (!oppose)
    return {};
  return forces;
}

/// The time in which Levy noise goes as far as a force f brings paths back; 0 for alpha <= 1, when the force wins in
/// all shorter times.
inline double levy_time_at_jump(double scale, double alpha, double f) {
  return alpha > 1 ? std::pow(scale / f, alpha / (alpha - 1)) : 0;
}
/// The time in which kicks of the intensity D, at mean intervals `wait`, go as far as a force f brings paths back. It
/// is that of kicks small against f wait, so short that the motion in a step adds nothing to the variance.
inline double kick_time_at_jump(double D, double wait, double f) {
  return wait * std::pow(std::sqrt(D / wait) / f, 1.5);
}

/// The time of a jump of accelerations, for particles of a thermal velocity v that is damped at a rate. It is the
/// shorter of two: the time in which the jump turns particles round, and the step that heats them as much as damping
/// cools them. A step heats because the velocity is wrong by up to a step's worth of the jump at every passage. 0 where
/// there is no such jump.
inline double turning_time(const JumpForces& accelerations, double v, double damping) {
  const auto [larger, smaller] = accelerations;
  if (!(smaller > 0)) return 0;
  return std::min(v / std::sqrt(accelerations.square()),
                  std::sqrt(v * v * v * damping / ((larger + smaller) * larger * smaller / 2)));
}

}  // namespace bmsim
