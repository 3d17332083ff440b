// Levels of the unfolded x, or of a linear formula, which counters wait for. They are tested at the end of every step,
// and of both parts of a step that an event divides.
//
// A path that diffuses also crosses levels between two tests. A walk of independent steps with standard deviation s is
// seen beyond a level later than the path, as if the level were E[H^2]/(2 E[H]) s farther away, H being the ladder
// height of the walk (M. Broadie, P. Glasserman, S. Kou, Math. Finance 7, 325, 1997; E. Gobet, S. Menozzi, Stoch.
// Process. Appl. 120, 130, 2010). The levels are moved towards the path by this overshoot. Other paths cross once in a
// step, at the time of a straight line.
//
// Where s depends on other variables the levels stay, and the path is taken for moved towards them, by the overshoot of
// its present s: to first order this is right for smooth functions of diffusions whose noise depends on the state
// (Gobet and Menozzi).
#pragma once
#include "counter.h"
#include "seen.h"

namespace bmsim_kernel {

constexpr bool DIFFUSES = BM_INCREMENTS != BM_NO_INCREMENTS && BM_SEEN_SOURCES > 0;
// E[H^2]/(2 E[H]) for the laws of increment_laws.h, from the sum over n of (E|S_n|/2 - sqrt(n/2 pi))/n (F. Spitzer).
// Sums of several increments are taken for Gaussian.
BM_FN constexpr double overshoot_of_walk(int sources) {
  return sources > 1                         ? 0.58260
         : BM_INCREMENTS == BM_FIVE_POINT    ? 0.69541
         : BM_INCREMENTS == BM_THREE_POINT   ? 0.86603
         : BM_INCREMENTS == BM_NEAR_GAUSSIAN ? 0.58315
                                             : 0.58260;
}
constexpr double OVERSHOOT = overshoot_of_walk(BM_SEEN_SOURCES);
constexpr double LONGER = BM_COARSE ? 1.4142135623730951 : 1;
// Standard deviation of the increments of a step that ends at this level, if it depends on nothing else. Noise with an
// amplitude has that of the level, which no other variable changes.
BM_FN double deviation_at(double level, const Parameters& p) {
#if BM_SEEN_FORMULA == BM_LINEAR
  double variance = 0;
  for (int i = 0; i < VARIABLES; i++) {
    if (!has(SEEN_MOVED & BM_WHITE, i)) continue;
    const double deviation = p.seen_formula.spread[i] * (double)undamped_deviation(i, p);
    variance += deviation * deviation;
  }
  (void)level;
#else
  const double plain = (double)white_deviation(SEEN, p);
  if constexpr (!has(BM_MULTIPLIED, SEEN)) return plain;
  real u[VARIABLES] = {}, blown[VARIABLES];
  u[SEEN] = (real)(has(BM_PERIODIC, SEEN) ? level - floor_of(level) : level);
  double variance = plain * plain;
  for (int k = index_of(BM_WHITE, VARIABLES); k < BM_SOURCES; k++) {
    White<real> one;
    BM_UNROLL for (int i = 0; i < BM_SOURCES; i++) one.of[i] = i == k ? source_deviation(k, p) : NOTHING;
    multiplied_increments(u, Absent(), Outside<real>(), p, one, blown);
    variance += (double)blown[SEEN] * (double)blown[SEEN];
  }
#endif
  return (double)sqrt((real)variance);
}
// Shift of a level by so many deviations, in periods.
BM_FN double shift_of(double level, const Parameters& p, double deviations) {
  return DIFFUSES && !BM_SEEN_SPREADS ? deviations * deviation_at(level, p) * LONGER : 0;
}
BM_FN double overshoot(double level, const Parameters& p) { return shift_of(level, p, OVERSHOOT); }

constexpr uint32_t UP = 1, DOWN = 2;  // which level a trajectory waits for; either: both bits
constexpr real NOWHERE = (real)1e37;  // beyond all positions

struct LevelPair {
  double low, high;
  const Parameters& p;  // has a linear formula
};
BM_FN LevelPair level_pair(double low, double high, const Parameters& p) { return {low, high, p}; }
BM_FN double periods_of(Trajectories& s, int l, const LevelPair& at) { return seen_periods(s, l, at.p); }
// The levels as tested at steps: nearer to each other, unless the path is taken for nearer to them.
template <class V> BM_FN LevelPair levels_seen(const V& values, const Parameters& p, double deviations = OVERSHOOT) {
  return level_pair(values.low + shift_of(values.low, p, deviations),
                    values.high - shift_of(values.high, p, deviations), p);
}

// The pairs of levels of a run, which are seldom read: on a GPU they are in shared memory. All threads of a warp write
// the same numbers, and none reads before all have written.
enum : int { RESIDENCE_LEVELS, WATCHED_LEVELS, NEAR_LEVELS };
#if BM_OWN_STEPS
BM_FN volatile double& level_kept(int i);
BM_FN void meet_warp();
template <int NUMBER> struct KeptLevels {
  static_assert(NUMBER < LEVEL_PAIRS);
  BM_FN_MEMBER KeptLevels(const LevelPair& at) {
    level_kept(2 * NUMBER) = at.low;
    level_kept(2 * NUMBER + 1) = at.high;
    meet_warp();
  }
  BM_FN_MEMBER LevelPair pair(const Parameters& p) const {
    return level_pair(level_kept(2 * NUMBER), level_kept(2 * NUMBER + 1), p);
  }
};
#else
template <int NUMBER> struct KeptLevels {
  LevelPair kept;
  BM_FN_MEMBER KeptLevels(const LevelPair& at) : kept(at) {}
  BM_FN_MEMBER LevelPair pair(const Parameters&) const { return kept; }
};
#endif

// The levels of one counter for the trajectories of a group in a block, in terms of folded positions. Shift: by how
// many deviations they are nearer.
struct Overshoot {
  static constexpr double DEVIATIONS = OVERSHOOT;
};
template <class Shift = Overshoot> struct Gate {
  alignas(T) Slot<real> low;
  alignas(T) Slot<real> high;
  static constexpr real NEARER = (real)(Shift::DEVIATIONS * LONGER);
  // Whether one of them has reached a level; a path that is nowhere may seem to have.
  BM_FN_MEMBER bool reached(const Seen<T>& u) const {
    return any_outside(beyond(u, -NEARER), load(low), beyond(u, NEARER), load(high));
  }
  BM_FN_MEMBER bool reached_in(int g, const Seen<Part>& u) const {
    return any_outside(beyond(u, -NEARER), part(load(low), g), beyond(u, NEARER), part(load(high), g));
  }
  // The same of some step of several, if they were between these positions.
  BM_FN_MEMBER bool met(const T& from, const T& to) const { return any_outside(from, load(low), to, load(high)); }
  BM_FN_MEMBER bool above(int l, Seen<real> u) { return beyond(u, NEARER) >= high[l]; }
  BM_FN_MEMBER bool reached(int l, Seen<real> u) { return above(l, u) || beyond(u, -NEARER) <= low[l]; }
  BM_FN_MEMBER void set(Trajectories& s, int l, uint32_t waits_for, const LevelPair& at) {
    high[l] = waits_for & UP ? (real)(at.high - periods_of(s, l, at)) : NOWHERE;
    low[l] = waits_for & DOWN ? (real)(at.low - periods_of(s, l, at)) : -NOWHERE;
  }
  // The same for all trajectories of a group; waits_for(l): for which levels.
  template <class F> BM_FN_MEMBER void set_all(Trajectories& s, const LevelPair& at, F waits_for) {
    for (int l = 0; l < LANES; l++) {
      const uint32_t waits = waits_for(l);
      const double periods = periods_of(s, l, at);
      const real up = (real)(at.high - periods), down = (real)(at.low - periods);
      high[l] = waits & UP ? up : NOWHERE;
      low[l] = waits & DOWN ? down : -NOWHERE;
    }
  }
  // Time at which a step from u0 to u reached a level: its end if the path diffuses, else that of a straight line.
  BM_FN_MEMBER double reached_at(int l, real u0, real u, real length, double end) {
    if (DIFFUSES || u == u0) return end;
    const real level = u >= high[l] ? high[l] : low[l];
    return end - (double)(length * minimum((u - level) / (u - u0), (real)1));
  }
};

}  // namespace bmsim_kernel
