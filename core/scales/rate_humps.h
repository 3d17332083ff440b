// Humps and dips of the rates of events, which paths may cross within a step.
#pragma once
#include "scales/short_events.h"

namespace bmsim::short_paths {

/// A rate along one coordinate from a state.
template <class Rate> class RateAlong {
 public:
  RateAlong(const Rate& rate, const State& at, size_t coordinate)
      : rate_(rate), at_(at), coordinate_(coordinate), here_(rate(at)), highest_(here_) {}
  /// The distance at which the rate has risen, or fallen, by much; negative if it has fallen, infinite if it does
  /// neither up to the farthest distance.
  double side(double direction, double farthest) {
    constexpr int octaves = 24, refinements = 3;
    double distance = std::ldexp(farthest, -octaves);
    int sign = 0;
    while ((sign = change(direction * distance)) == 0)
      if ((distance *= 2) > farthest) return infinity;
    double nearer = distance / 2;
    for (int k = 0; k < refinements; ++k) {
      const double middle = nearer + (distance - nearer) / 2;
      (change(direction * middle) == 0 ? nearer : distance) = middle;
    }
    return sign * distance;
  }
  double here() const { return here_; }
  double highest() const { return highest_; }  ///< at all places so far

 private:
  int change(double distance) {
    constexpr double drop = 0.5;  // of the rate, at the side of a hump
    State there = at_;
    there[coordinate_] += distance;
    const double now = rate_(there), most = std::max(here_, now);
    highest_ = std::max(highest_, std::isfinite(now) ? now : 0);
    return std::abs(now - here_) > drop * most ? (now > here_ ? 1 : -1) : 0;
  }
  const Rate& rate_;
  const State& at_;
  size_t coordinate_;
  double here_, highest_;
};

/// Shortest times, see SystemScales::over_rate and resolving; INFINITY without humps and dips.
struct RateHumps {
  double over_rate = infinity, resolving = infinity;
};
/// Humps and dips near the notable states of events. A path that crosses a hump of a rate within a step is taken to be
/// on it for half of the step or more. If paths begin near by, their first steps pass over the hump, or the dip.
/// fastest_rates: largest rate of change so far, by coordinate.
inline RateHumps rate_humps(const ModelValues& values, const Motion& motion, const ShortEvents& events,
                            const State& fastest_rates) {
  constexpr double narrow_hump = 0.4;  // times 1/rate: steps for the rate resolve humps that take longer to cross
  constexpr double unresolved = 0.08;  // times 1/rate: no step need be shorter, however narrow a hump is
  RateHumps humps;
  events.each_notable(motion, [&](const auto& rate, const State& at, double t) {
    attempt([&] {
      const State change = motion.rate(at, t);
      const std::vector<State> pushes = motion.blown(at, t);
      for (size_t i = 0; i < motion.size(); ++i) {
        RateAlong along(rate, at, i);
        if (!std::isfinite(along.here())) break;
        const bool inertial = i < motion.variables() && values.variables[i].inertial;
        const Crossing crossing =
            motion.crossing(i, std::max(std::abs(change[i]), inertial ? fastest_rates[i] : 0), pushes);
        const double time = narrow_hump / (along.here() > 0 ? along.here() : events.highest_rate());
        const double farthest = crossing.distance(time);
        if (!(farthest > 0 && std::isfinite(farthest))) continue;
        const double right = along.side(1, farthest);
        if (std::isinf(right)) continue;
        const double left = along.side(-1, farthest);
        if (std::isinf(left) || (right > 0) != (left > 0)) continue;
        const double over = crossing.time(std::abs(right) + std::abs(left));
        if (!(over < narrow_hump / along.highest())) continue;
        humps.over_rate = std::min(humps.over_rate, over);
        humps.resolving = std::min(humps.resolving, std::max(over, unresolved / along.highest()));
      }
    });
  });
  return humps;
}

}  // namespace bmsim::short_paths
