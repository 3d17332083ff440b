// Turning points of x: a maximum counts when x has fallen from it by a threshold, a minimum when x has risen by as
// much. For a path that diffuses their rate is finite only if the threshold is > 0.
//
// Tests at the ends of steps miss part of an extremum, and notice the way back too late: each by the overshoot of
// levels.h, as for the passage of a reflected walk (D. Siegmund, Sequential Analysis, 1985, chapter X). The threshold
// is lowered by twice the overshoot, or the path is taken for farther away.
#pragma once
#include "levels.h"

namespace bmsim_kernel {

class TurningPoints : public Counter {
 public:
  typedef TurningPointsValues Values;
  static constexpr bool LOOKS = true, TRIES = false;  // every step may move the extremum

  BM_FN_MEMBER TurningPoints(Trajectories& s, const Parameters& p, const Launch& launch)
      : Counter(s, p, launch), s_(s), p_(p), threshold_((real)(p.turning_points.threshold - 2 * overshoot(0, p))) {}

  BM_FN_MEMBER static void start(Trajectories& s, const Parameters& p, const Launch&, int l) {
    s.turning_points.high[l] = s.turning_points.low[l] = seen_at_start(s, l, p);
    s.turning_points.turns_to[l] = UP | DOWN;
  }
  BM_FN_MEMBER void begin_block() {
    auto& of = s_.turning_points;
    for (int l = 0; l < LANES; l++) {
      const real folded = (real)(seen_periods(s_, l, p_) - of.periods[l]);
      of.periods[l] = seen_periods(s_, l, p_);
      of.high[l] -= folded;
      of.low[l] -= folded;
      wait(l, s_.stage[l] < DONE ? of.turns_to[l] : 0);
    }
  }
  BM_FN_MEMBER bool reached(const Seen<T>& seen) {
    const T up = beyond(seen, FARTHER), down = beyond(seen, -FARTHER);
    const T high = maximum(load(s_.turning_points.high), up), low = minimum(load(s_.turning_points.low), down);
    store(s_.turning_points.high, high);
    store(s_.turning_points.low, low);
    return any((high - down >= load(down_)) | (up - low >= load(up_)));
  }
  BM_FN_MEMBER static bool reached_in(int, const Seen<Part>&) { return true; }
  BM_FN_MEMBER void look(int l, real, Seen<real> seen, real, double end) {
    const real up = beyond(seen, FARTHER), down = beyond(seen, -FARTHER);
    real &high = s_.turning_points.high[l], &low = s_.turning_points.low[l];
    high = maximum(high, up);
    low = minimum(low, down);
    if (high - down >= down_[l])
      turn(l, UP, down, end);
    else if (up - low >= up_[l])
      turn(l, DOWN, up, end);
  }
  template <class F> BM_FN_MEMBER static void values(Trajectories& s, int l, bool diverged, F value) {
    value(Values::turns) = diverged ? not_a_number() : s.turning_points.turns[l];
  }

 private:
  static constexpr real FARTHER = (real)(OVERSHOOT * LONGER);  // where the path is taken for farther away (levels.h)
  // Trajectory l has turned at u and goes up or down until its next turning point. The first one only shows its
  // direction.
  BM_FN_MEMBER void turn(int l, uint32_t turns_to, real u, double when) {
    auto& of = s_.turning_points;
    if (of.turns_to[l] != (UP | DOWN) && when > p_.transient_steps) of.turns[l]++;
    of.turns_to[l] = turns_to;
    of.high[l] = of.low[l] = u;
    wait(l, turns_to);
  }
  BM_FN_MEMBER void wait(int l, uint32_t turns_to) {
    up_[l] = turns_to & UP ? threshold_ : NOWHERE;
    down_[l] = turns_to & DOWN ? threshold_ : NOWHERE;
  }

  Trajectories& s_;
  const Parameters& p_;
  real threshold_;
  Slot<real> up_, down_;  // distance of a turn from the lowest and from the highest x
};

}  // namespace bmsim_kernel
