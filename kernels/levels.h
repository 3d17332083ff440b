// Levels of the unfolded x at which something happens in the count of a trajectory: a first passage; the lower and the
// upper state of a residence. Seen at the end of every step, and of every piece of one that an event ends.
//
// A path that diffuses crosses levels between two looks, too: a walk of independent steps of deviation s is seen beyond
// a level later than the path, by as much as if the level lay E[H^2]/(2 E[H]) s farther, H being the walk's ladder
// height (M. Broadie, P. Glasserman, S. Kou, Math. Finance 7, 325, 1997; E. Gobet, S. Menozzi, Stoch. Process. Appl.
// 120, 130, 2010): the levels are moved towards the path by it. Other paths cross once in a step, at the time of a
// straight line.
#pragma once
#include "calls.h"

namespace bmsim_kernel {

constexpr uint32_t UP = 1, DOWN = 2;  // which level a trajectory is to reach next; either: both bits
#if BM_PASSAGE || BM_RESIDENCE
constexpr bool DIFFUSES = !BM_UNDERDAMPED && BM_INCREMENTS != BM_NO_INCREMENTS;
// E[H^2]/(2 E[H]) of the laws of increment_laws.h, from the sum over n of (E|S_n|/2 - sqrt(n/2 pi))/n (F. Spitzer).
constexpr double OVERSHOOT = BM_INCREMENTS == BM_FIVE_POINT      ? 0.69541
                             : BM_INCREMENTS == BM_THREE_POINT   ? 0.86603
                             : BM_INCREMENTS == BM_NEAR_GAUSSIAN ? 0.59072
                                                                 : 0.58260;
constexpr real NOWHERE = (real)1e37;  // beyond all positions

struct Levels {
  double low, high;
};
BM_FN Levels nearer(double low, double high, const Parameters& p) {
  const double longer = BM_COARSE ? 1.4142135623730951 : 1;
  const double shift = DIFFUSES && BM_METHOD != BM_ADAPTIVE ? OVERSHOOT * (double)increment_deviation(p) * longer : 0;
  return {low + shift, high - shift};
}

// The levels of one observable as the trajectories of a group see them in a block.
struct Gate {
  Slot<real> low, high;
  BM_FN_MEMBER bool reached(const T& u) const { return any((u >= load(high)) | (u <= load(low))); }
  BM_FN_MEMBER void set(Trajectories& s, int l, uint32_t waits_for, const Levels& at) {
    high[l] = waits_for & UP ? (real)(at.high - s.periods[l]) : NOWHERE;
    low[l] = waits_for & DOWN ? (real)(at.low - s.periods[l]) : -NOWHERE;
  }
};

struct Watch {
  Trajectories& s;
  const Parameters& p;
#if BM_PASSAGE
  Levels passage_at;
  Gate passage;
#endif
#if BM_RESIDENCE
  Levels residence_at;
  Gate residence;
#endif
  BM_FN_MEMBER Watch(Trajectories& trajectories, const Parameters& parameters) : s(trajectories), p(parameters) {
#if BM_PASSAGE
    passage_at = nearer(p.passage_low, p.passage_high, p);
#endif
#if BM_RESIDENCE
    residence_at = nearer(p.residence_low, p.residence_high, p);
#endif
  }

  // Where positions have been folded. A trajectory at its end reaches nothing any more.
  BM_FN_MEMBER void begin_block() {
    for (int l = 0; l < LANES; l++) {
      const bool goes_on = s.stage[l] < DONE;
#if BM_PASSAGE
      passage.set(s, l, goes_on && s.passed[l] < 0 ? (uint32_t)-s.passed[l] : 0, passage_at);
#endif
#if BM_RESIDENCE
      residence.set(s, l, goes_on ? s.waits_for[l] : 0, residence_at);
#endif
    }
  }
  BM_FN_MEMBER bool reached(const T& u) const {
    bool any_of_them = false;
#if BM_PASSAGE
    any_of_them = passage.reached(u);
#endif
#if BM_RESIDENCE
    any_of_them = any_of_them || residence.reached(u);
#endif
    return any_of_them;
  }

  // Trajectory l went from u0 to u in `length` steps, and is there at `end` on its clock, in steps.
  BM_FN_MEMBER void look(int l, real u0, real u, real length, double end) {
#if BM_PASSAGE
    if (u >= passage.high[l] || u <= passage.low[l]) {
      s.passed[l] = reached_at(passage, l, u0, u, length, end);
      passage.set(s, l, 0, passage_at);
    }
#endif
#if BM_RESIDENCE
    if (u >= residence.high[l] || u <= residence.low[l]) {
      change_state(s, p, l, u >= residence.high[l] ? DOWN : UP, reached_at(residence, l, u0, u, length, end));
      residence.set(s, l, s.waits_for[l], residence_at);
    }
#endif
  }

 private:
  BM_FN_MEMBER static double reached_at(Gate& gate, int l, real u0, real u, real length, double end) {
    if (DIFFUSES || u == u0) return end;
    const real level = u >= gate.high[l] ? gate.high[l] : gate.low[l];
    return end - (double)(length * minimum((u - level) / (u - u0), (real)1));
  }
#if BM_RESIDENCE
  BM_FN_MEMBER static void change_state(Trajectories& s, const Parameters& p, int l, uint32_t waits_for, double when) {
    if (s.waits_for[l] != (UP | DOWN) && when > p.transient_steps) {
      const double stayed = when - (s.since[l] > p.transient_steps ? s.since[l] : p.transient_steps);
      BM_UNROLL for (uint32_t state = 0; state < 2; state++) {
        if (s.waits_for[l] != (state == 0 ? UP : DOWN)) continue;
        s.resided[state][l] += stayed;
        s.left[state][l]++;
      }
    }
    s.since[l] = when;
    s.waits_for[l] = waits_for;
  }
#endif
};

// A whole group after a step: clock(l) is where trajectory l is then.
template <class F> BM_RARE void look_at_all(Watch& watch, const T& before, const T& after, F clock) {
  Slot<real> from, to;
  store(from, before);
  store(to, after);
  for (int l = 0; l < LANES; l++) watch.look(l, from[l], to[l], BM_COARSE ? 2 : 1, clock(l));
}

// At t = 0. A single level is reached from the side where the path begins; from without an interval it has been left.
BM_FN void start_levels(Trajectories& s, const Parameters& p) {
  for (int l = 0; l < LANES; l++) {
    const double u = (double)s.position[l];
#if BM_PASSAGE
    const Levels at = nearer(p.passage_low, p.passage_high, p);
    const bool one = p.passage_low == p.passage_high;
    const bool below = u < at.high;
    const bool above = u > at.low;
    s.passed[l] = one ? (below ? -(double)UP : above ? -(double)DOWN : 0) : below && above ? -(double)(UP | DOWN) : 0;
#endif
#if BM_RESIDENCE
    s.waits_for[l] = u <= p.residence_low ? UP : u >= p.residence_high ? DOWN : UP | DOWN;
#endif
    (void)u;
  }
  (void)p;
}
#else
struct Watch {
  BM_FN_MEMBER Watch(Trajectories&, const Parameters&) {}
  BM_FN_MEMBER void begin_block() {}
  BM_FN_MEMBER bool reached(const T&) const { return false; }
  BM_FN_MEMBER void look(int, real, real, real, double) {}
};
template <class F> BM_FN void look_at_all(Watch&, const T&, const T&, F) {}
BM_FN void start_levels(Trajectories&, const Parameters&) {}
#endif

}  // namespace bmsim_kernel
