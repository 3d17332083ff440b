// The time at which a path meets a wall that absorbs, and which wall.
//
// A path that diffuses, and is at the distances a before and b after a step of variance s^2, has met the wall in
// between with probability exp(-2 a b/s^2): the law of a Brownian bridge, whatever the force (P. Baldi, Ann. Probab.
// 23, 1644, 1995; E. Gobet, Stoch. Process. Appl. 87, 167, 2000). A path draws one uniform number, at its start, and
// ends when the probability that it has been spared has fallen below it. So exit times, and the density of the paths
// that are left, are right up to the wall. Other paths cross once in a step, at the time of a straight line.
#pragma once
#include "levels.h"

namespace bmsim_kernel {

// Distance from a wall, in deviations of a step, within which a path is examined. Farther away next to none has met the
// wall: to leave them out is as if the wall were 5e-4 deviations farther away.
struct NearWall {
  static constexpr double DEVIATIONS = DIFFUSES ? 3 : 0;
};

class Exit : public Counter {
 public:
  typedef ExitValues Values;
  static constexpr bool LOOKS = true, TRIES = !DIFFUSES;  // near a wall every step counts

  BM_FN_MEMBER Exit(Trajectories& s, const Parameters& p, const Launch& launch)
      : Counter(s, p, launch), s_(s), p_(p), at_(levels_seen(p.exit, p, NearWall::DEVIATIONS)) {}

  // A path that begins beyond a wall has left.
  BM_FN_MEMBER static void start(Trajectories& s, const Parameters& p, [[maybe_unused]] const Launch& launch, int l) {
    const double u = (double)seen_at_start(s, l, p);
    s.exit.passed[l] = u > p.exit.low && u < p.exit.high ? -(double)walls(p) : 0;
    if constexpr (DIFFUSES) {
      uint32_t word[4];
      draw_one(launch.seed, STREAM_EXIT, 0, launch.trajectory + (uint64_t)l, word);
      s.exit.spared[l] = 1 / uniform(word[0]);
    }
  }
  BM_FN_MEMBER void begin_block() {
    near_.set_all(s_, at_.pair(p_),
                  [&](int l) BM_FN_LAMBDA { return s_.stage[l] < DONE && s_.exit.passed[l] < 0 ? walls(p_) : 0; });
  }
  BM_FN_MEMBER bool reached(const Seen<T>& u) const { return near_.reached(u); }
  BM_FN_MEMBER bool reached_in(int g, const Seen<Part>& u) const { return near_.reached_in(g, u); }
  BM_FN_MEMBER bool met(const T& from, const T& to) const { return near_.met(from, to); }
  BM_FN_MEMBER void look(int l, real u0, Seen<real> u, real length, double end) {
    if (!near_.reached(l, u)) return;
    if constexpr (!DIFFUSES) return leave(l, near_.above(l, u), near_.reached_at(l, u0, u.at, length, end));
    if (!passes(l, UP, u0, u, length, end)) passes(l, DOWN, u0, u, length, end);
  }
  template <class F> BM_FN_MEMBER static void values(Trajectories& s, int l, bool diverged, F value) {
    value(Values::time) = diverged ? not_a_number() : s.exit.passed[l];
    value(Values::above) = (double)s.exit.above[l];
  }
  BM_FN_MEMBER static bool finished(Trajectories& s, int l, double steps) {
    return s.exit.passed[l] >= 0 && s.exit.passed[l] <= steps;
  }

 private:
  // The walls that there are; those that are not are nowhere.
  BM_FN_MEMBER static uint32_t walls(const Parameters& p) {
    return (p.exit.low > -(double)NOWHERE ? DOWN : 0) | (p.exit.high < (double)NOWHERE ? UP : 0);
  }
  // Whether trajectory l meets this wall in a step, and then ends.
  BM_FN_MEMBER bool passes(int l, uint32_t which, real u0, const Seen<real>& u, real length, double end) {
    if (!(walls(p_) & which)) return false;
    const double wall = which == UP ? p_.exit.high : p_.exit.low;
    const double periods = periods_of(s_, l, at_.pair(p_));
    const real at = (real)(wall - periods), side = which == UP ? 1 : -1;
    const real before = side * (at - u0), after = side * (at - u.at);
#if BM_SEEN_SPREADS
    const real variance = u.deviation * u.deviation * length;
#else
    const real variance = (real)variance_to(wall, (double)u0 + periods, (double)u.at + periods) * length;
#endif
    if (after > 0) {
      if (!(length > 0)) return false;
      s_.exit.spared[l] *= 1 - exp(-2 * before * after / variance);
      if (!(s_.exit.spared[l] < 1)) return false;
    }
    leave(l, which == UP, end - (double)(length * (1 - part_before(before, absolute(after), variance))));
    return true;
  }
#if !BM_SEEN_SPREADS
  // Of the increments of a step between these places, at a wall. Noise with an amplitude has another deviation at each;
  // in units of the deviation, x is a Brownian motion, and on the way to the wall their mean inverse counts.
  BM_FN_MEMBER double variance_to(double wall, double from, double to) const {
    const double there = deviation_at(wall, p_);
    if constexpr (!has(BM_MULTIPLIED, SEEN)) return there * there;
    const double first = deviation_at(from, p_), last = deviation_at(to, p_);
    return there > 0 ? 4 * first * last / ((1 + first / there) * (1 + last / there)) : 0;
  }
#endif
  // The mean fraction of a step that is over when a path meets a wall: a R(a + b)/s, with Mills' ratio R of the normal
  // law (after A. V. Boyd, Rep. Stat. Appl. Res. JUSE 6, 44, 1959, to 1.2 %). Without noise, of a straight line.
  BM_FN_MEMBER static real part_before(real a, real b, real variance) {
    const real sum = a + b, pi = (real)3.14159265358979323846;
    return a > 0 ? pi * a / ((pi - 1) * sum + sqrt(sum * sum + 2 * pi * variance)) : 0;
  }
  BM_FN_MEMBER void leave(int l, bool above, double when) {
    s_.exit.passed[l] = when;
    s_.exit.above[l] = above;
    near_.set(s_, l, 0, at_.pair(p_));
  }

  Trajectories& s_;
  const Parameters& p_;
  KeptLevels<0> at_;
  Gate<NearWall> near_;
};

}  // namespace bmsim_kernel
