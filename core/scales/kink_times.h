// Times that a step must resolve where a force jumps: at kinks of V, and wherever a force of a system is not
// continuous. Paths that the force presses to such a place stay in a layer that noise makes.
#pragma once
#include <algorithm>
#include <cmath>

namespace bmsim {

/// The forces on both sides of a jump that make layers, or a barrier's top; none where paths pass.
struct JumpForces {
  double larger = 0, smaller = 0;
  /// The square of the force f in D/f^2: that on the side where the layer is thinner, as long as this side holds a
  /// seventh of the paths. Beyond it a step need only keep them from stepping over the other side's layer, which takes
  /// the geometric mean of both.
  double square() const {
    constexpr double thinnest = 7;  // part of the thicker layer's width
    return larger * std::min(larger, thinnest * smaller);
  }
};

/// left, right: forces in the direction from left to right. weakest: what keeps paths near the place where no force
/// does: D over the room that they have.
inline JumpForces forces_at_jump(double left, double right, double weakest) {
  JumpForces forces = {std::max(std::abs(left), std::abs(right)), std::min(std::abs(left), std::abs(right))};
  const bool larger_presses = std::abs(left) > std::abs(right) ? left > 0 : right < 0, oppose = left * right < 0;
  if (larger_presses)
    forces.smaller = std::min(std::max(oppose ? forces.smaller : 0, weakest), forces.larger);
  else if (!oppose)
    return {};
  return forces;
}

/// The time in which Levy noise goes as far as a force f brings it back; 0 if it goes less far in any shorter one.
inline double levy_time_at_jump(double scale, double alpha, double f) {
  return alpha > 1 ? std::pow(scale / f, alpha / (alpha - 1)) : 0;
}
/// The same for kicks at mean intervals `wait`, of the intensity D: of those that are small against f wait, so short
/// that a step's motion adds nothing to the variance.
inline double kick_time_at_jump(double D, double wait, double f) {
  return wait * std::pow(std::sqrt(D / wait) / f, 1.5);
}

/// The time of a jump of accelerations, for particles of a thermal velocity v that is damped at a rate. The shorter of
/// that in which the jump turns them round, and of that in which a step heats them by as much as damping cools them:
/// the velocity is wrong by up to a step's worth of the jump at every passage. 0 where there is none.
inline double turning_time(const JumpForces& accelerations, double v, double damping) {
  const auto [larger, smaller] = accelerations;
  if (!(smaller > 0)) return 0;
  return std::min(v / std::sqrt(accelerations.square()),
                  std::sqrt(v * v * v * damping / ((larger + smaller) * larger * smaller / 2)));
}

}  // namespace bmsim
