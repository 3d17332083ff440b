// Whether and when a path meets a level within a step.
//
// A path that diffuses, and is at the distances a before and b after a step of variance s^2, has met the level in
// between with probability exp(-2 a b/s^2): the law of a Brownian bridge, whatever the force (P. Baldi, Ann. Probab.
// 23, 1644, 1995; E. Gobet, Stoch. Process. Appl. 87, 167, 2000). A path draws one uniform number, and has met a level
// when the probability that it has been spared so far has fallen below that number. So times of passage, whose law
// within the step is that of the bridge, and the density of the paths that have not passed are right up to the level.
// Other paths cross once in a step, at the time of a straight line.
#pragma once
#include "levels.h"
#include "streams.h"

namespace bmsim_kernel {

// Distance from a level, in deviations of a step, within which a path is watched: steps that begin or end there are
// examined. Next to no others meet the level: to leave them out is as if it were 5e-4 deviations farther away.
struct NearLevel {
  static constexpr double DEVIATIONS = DIFFUSES ? 1.75 : 0;
};

// What a path waits with, among the numbers that are kept apart: 1 over a uniform number, which the probability to have
// been spared multiplies; and a squared normal number and a uniform one, of the time within the step.
enum : int { SPARED, SQUARE, CHOICE };
BM_FN void begin_waiting(const Launch& launch, uint32_t draw, int l, double& spared, double& square, double& choice) {
  uint32_t word[4];
  draw_one(launch.seed, STREAM_LEVEL, draw, launch.trajectory + (uint64_t)l, word);
  const real n = normal(uniform(word[1]), -log(uniform(word[2])));
  spared = (double)(1 / uniform(word[0]));
  square = (double)(n * n);
  choice = (double)uniform(word[3]);
}

// The part of a step of standard deviation s that is over when a path meets a level, from a distance a to a distance b
// beyond it or, if it comes back, before it: part/(1 - part) has an inverse Gaussian law of mean a/b and shape (a/s)^2,
// made of a squared normal number and a uniform one as by J. R. Michael, W. R. Schucany, R. W. Haas, Am. Stat. 30, 88
// (1976). Without noise, the part of a straight line.
BM_FN real part_before(real a, real b, real s, real square, real choice) {
  if (!(a > 0)) return 0;
  const real mean = a / maximum(b, TINY * a), w = square * s * s / maximum(2 * a * b, TINY * s * s);
  const real root = 1 + w + sqrt(w * (w + 2));
  const real ratio = choice * (1 + root) <= root ? mean / root : mean * root;
  return ratio / (1 + ratio);
}

#if !BM_SEEN_SPREADS
// Of the increments of a step between these places, at a level. Noise with an amplitude has another deviation at each;
// in units of the deviation, x is a Brownian motion, and on the way to the level their mean inverse counts.
BM_FN double variance_to(double level, [[maybe_unused]] double from, [[maybe_unused]] double to, const Parameters& p) {
  const double there = deviation_at(level, p);
  if constexpr (!has(BM_MULTIPLIED, SEEN)) return there * there;
  const double first = deviation_at(from, p), last = deviation_at(to, p);
  return there > 0 ? 4 * first * last / ((1 + first / there) * (1 + last / there)) : 0;
}
#endif

// Whether a path that waits for a level above it (UP) or below has met it in a step from u0 to u of this length, in
// steps; and then `left`: the steps from then on. periods: what has been folded away from u; waits: where the numbers
// are that it waits with.
BM_FN bool meets(double level, uint32_t which, Trajectories& s, int l, int waits, double periods, real u0,
                 const Seen<real>& u, real length, [[maybe_unused]] const Parameters& p, double& left) {
#if BM_METHOD == BM_ADAPTIVE
  const real variance = u.deviation * u.deviation;
#elif BM_SEEN_SPREADS
  const real variance = u.deviation * u.deviation * length;
#else
  const real variance = (real)variance_to(level, (double)u0 + periods, (double)u.at + periods, p) * length;
#endif
  const real at = (real)(level - periods), side = which == UP ? 1 : -1;
  const real before = side * (at - u0), after = side * (at - u.at);
  if (after > 0) {
    if (!(length > 0)) return false;
    const double spared = apart(s, l, waits + SPARED) * (double)(1 - exp(-2 * before * after / variance));
    set_apart(s, l, waits + SPARED, spared);
    if (!(spared < 1)) return false;
  }
  const real square = (real)apart(s, l, waits + SQUARE), choice = (real)apart(s, l, waits + CHOICE);
  const real part = part_before(before, absolute(after), sqrt(variance), square, choice);
  left = (double)(length * (1 - part));
  return true;
}

constexpr uint32_t WATCHED = 4;  // beside the levels that a path waits for: its next step is examined

// The gate of a counter of which every path waits for the lower of two levels, for the upper one, or for both, until it
// has met one. The state of a path is the time at which it has, in steps, or minus the levels that it waits for.
// No run has two of them: paths that end at walls have no first passages.
class Watch : public Gate<NearLevel> {
 public:
  // values: low and high, unfolded; waits: where the numbers are that a path waits with.
  template <class V>
  BM_FN_MEMBER Watch(const V& values, const Parameters& p, int waits)
      : levels_(level_pair(values.low, values.high, p)),
        near_(levels_seen(values, p, NearLevel::DEVIATIONS)),
        waits_(waits) {}

  // At the start.
  BM_FN_MEMBER static double waiting_for(uint32_t levels) {
    return levels == 0 ? 0 : -(double)(levels | (DIFFUSES ? WATCHED : 0));
  }
  BM_FN_MEMBER static uint32_t levels_of(double state) { return state < 0 ? (uint32_t)(-(int32_t)state) : 0; }

  BM_FN_MEMBER void begin_block(Trajectories& s, const Parameters& p, Slot<double>& state) {
    set_all(s, near_.pair(p),
            [&](int l) BM_FN_LAMBDA { return s.stage[l] < DONE ? levels_of(state[l]) : (uint32_t)0; });
    if constexpr (DIFFUSES)
      for (int l = 0; l < LANES; l++)
        if (s.stage[l] < DONE && (levels_of(state[l]) & WATCHED)) high[l] = -NOWHERE;
  }
  // Trajectory l, whose state this is, went from u0 to u in `length` steps, and arrived at `end`. Returns the level
  // that it has met (UP, DOWN), or 0.
  BM_FN_MEMBER uint32_t look(Trajectories& s, int l, double& state, real u0, const Seen<real>& u, real length,
                             double end, const Parameters& p) {
    if (state >= 0) return 0;  // one that has met a level may go beyond all bounds later
    const LevelPair near = near_.pair(p);
    const auto meet = [&](uint32_t which, double when) BM_FN_LAMBDA {
      state = when;
      set(s, l, 0, near);
      return which;
    };
    if constexpr (!DIFFUSES) return meet(above(l, u) ? UP : DOWN, reached_at(l, u0, u.at, length, end));
    const uint32_t waits_for = levels_of(state) & (UP | DOWN);
    const double periods = periods_of(s, l, near);
    const LevelPair levels = levels_.pair(p);
    for (uint32_t which = UP; which <= DOWN; which++) {
      const double level = which == UP ? levels.high : levels.low;
      double left;
      if ((waits_for & which) && meets(level, which, s, l, waits_, periods, u0, u, length, p, left))
        return meet(which, end - left);
    }
    set(s, l, waits_for, near);
    const bool watched = reached(l, u);
    if (watched) high[l] = -NOWHERE;
    state = -(double)(waits_for | (watched ? WATCHED : 0));
    return 0;
  }

 private:
  KeptLevels<WATCHED_LEVELS> levels_;
  KeptLevels<NEAR_LEVELS> near_;  // where paths begin to be watched
  int waits_;
};

}  // namespace bmsim_kernel
