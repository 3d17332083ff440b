// Events at rates that depend on the state or on time: one comes when the integral of its rate reaches a unit
// exponential number.
//
// The motion and the events are split as G. Strang does (SIAM J. Numer. Anal. 5, 506, 1968): a step of the motion
// stands between two halves of a step of the events, in which nothing moves. At a place that does not change events are
// exact: however many fall into a step, all come in their order, each by the rates after the one before it. The error
// is of second order in the step, whatever the rates are, and no step needs to be cut.
#pragma once
#include "crossings.h"
#include "event_numbers.h"
#include "local.h"

namespace bmsim_kernel {

constexpr real ROUNDING = (real)1e-5;  // a rate below -ROUNDING in a step is negative by more than rounding

// Phases that formulas read, of what acts from outside.
template <class O> BM_FN auto phases_of([[maybe_unused]] const O& outside) {
  if constexpr (BM_POTENTIAL_PHASES > 0)
    return &outside.phase[0];
  else
    return (const real*)0;
}

#if BM_HAZARDS
class Hazards {
 public:
  BM_FN_MEMBER Hazards(Trajectories& s, const Parameters& p, const Launch& launch) : s_(s), p_(p), launch_(launch) {
    lowest_ = T((real)0);
    if constexpr (BM_OWN_STEPS) BM_UNROLL for (int k = 0; k < BM_HAZARDS; k++) ahead_[k].first = -1;
  }
  // At the start of trajectory l: the first half step of the events counts, but none happens before the first step.
  BM_FN_MEMBER static void start(Trajectories& s, const Parameters& p, const Launch& launch, int l, real half) {
    const Place place = place_of(s, l);
    real phase[BM_POTENTIAL_PHASES > 0 ? BM_POTENTIAL_PHASES : 1] = {};
    real rate[BM_HAZARDS];
    event_rates(place.u, place.v, (const real*)phase, p, rate);
    each_hazard([&](auto event, int k) {
      s.hazard_count[k][l] = 0;
      s.hazard_left[k][l] = (double)event_exponentials(event, launch, l, 0).first - (double)(rate[k] * half * p.dt);
    });
  }
  BM_FN_MEMBER void begin_block() {
    BM_UNROLL for (int k = 0; k < BM_HAZARDS; k++) {
      Slot<real> left;
      for (int l = 0; l < LANES; l++) left[l] = (real)s_.hazard_left[k][l];
      left_[k] = load(left);
    }
    if constexpr (BM_OWN_STEPS)
      each_hazard([&](auto event, int k) {
        if (!drawn_ahead(k)) ahead_[k] = event_exponentials(event, launch_, 0, s_.hazard_count[k][0] + 1);
      });
  }
  // Events of all trajectories in a time of `steps` steps, at the places where they are; clock(l): time at its end.
  // Returns whether some have happened.
  template <class W, class H, class F> BM_FN_MEMBER bool pass(Motion<T>& z, const W& steps, const H* phase, F clock) {
    T rate[BM_HAZARDS];
    event_rates(z.u, z.v, phase, p_, rate);
    const auto time = steps * p_.dt;
    bool some = false;
    BM_UNROLL for (int k = 0; k < BM_HAZARDS; k++) {
      lowest_ = minimum(lowest_, rate[k]);
      z.hazard[k] = fma(rate[k], time, z.hazard[k]);
      some = any(z.hazard[k] >= left_[k]) || some;
    }
    if (__builtin_expect(some, 0)) happen(z, rate, time, phase, clock);
    return some;
  }
  // The same for lane i of part g alone.
  template <class F> BM_FN_MEMBER void pass_one(Motion<Part>& z, int g, int i, const Place& at, real steps, F clock) {
    real rate[BM_HAZARDS];
    event_rates(at.u, at.v, phases_at(at), p_, rate);
    const real time = steps * p_.dt;
    bool some = false;
    BM_UNROLL for (int k = 0; k < BM_HAZARDS; k++) {
      Part low = part(lowest_, g);
      set_lane(low, i, minimum(get_lane(low, i), rate[k]));
      set_part(lowest_, g, low);
      const real spent = fma(rate[k], time, get_lane(z.hazard[k], i));
      set_lane(z.hazard[k], i, spent);
      some = spent >= get_lane(part(left_[k], g), i) || some;
    }
    if (some) happen_to(z, g, i, at, rate, time, clock);
  }
  // At the end of a block. A rate that was negative, or not a number, is an error of the model: its paths count as
  // diverged.
  BM_FN_MEMBER void end_block(Motion<T>& z) {
    T total = T((real)0);
    BM_UNROLL for (int k = 0; k < BM_HAZARDS; k++) {
      total = total + z.hazard[k];
      for (int g = 0; g < PARTS; g++) add_part(s_.hazard_left[k], g, (real)0 - part(z.hazard[k], g));
      z.hazard[k] = T((real)0);
    }
    const auto right = (lowest_ * p_.dt >= -ROUNDING) & (total < FARTHEST);
    z.u[0] = select(right, z.u[0], T((real)not_a_number()));
    lowest_ = T((real)0);
  }

 private:
  template <class W, class H, class F>
  BM_FN_MEMBER void happen(Motion<T>& z, const T (&rate)[BM_HAZARDS], const W& time, const H* phase, F clock) {
    for (int g = 0; g < PARTS; g++) {
      Motion<Part> z_g = part_of(z, g);
      bool changed = false;
      for (int i = 0; i < WIDTH; i++) {
        bool mine = false;
        real now[BM_HAZARDS];
        BM_UNROLL for (int k = 0; k < BM_HAZARDS; k++) {
          now[k] = get_lane(part(rate[k], g), i);
          mine = get_lane(z_g.hazard[k], i) >= get_lane(part(left_[k], g), i) || mine;
        }
        if (!mine) continue;
        Place at = place_of(z_g, i);
        if constexpr (BM_KICK_PHASES)
          BM_UNROLL for (int k = 0; k < BM_POTENTIAL_PHASES; k++) at.phase[k] = get_lane_of(phase[k], g, i);
        happen_to(z_g, g, i, at, now, get_lane_of(time, g, i), clock);
        changed = true;
      }
      if (changed) set_part_of(z, g, z_g);
    }
  }
  BM_FN_MEMBER static real get_lane_of(real all, int, int) { return all; }
  template <class X> BM_FN_MEMBER static real get_lane_of(const X& all, int g, int i) {
    return get_lane(part(all, g), i);
  }
  // What is due for lane i of part g, which is at this place, with these rates in the time until now.
  template <class F>
  BM_FN_MEMBER void happen_to(Motion<Part>& z, int g, int i, Place at, real (&rate)[BM_HAZARDS], real time, F clock) {
    const int l = g * WIDTH + i;
    if (s_.stage[l] >= DONE) return;
    real spent[BM_HAZARDS], left[BM_HAZARDS];
    BM_UNROLL for (int k = 0; k < BM_HAZARDS; k++) {
      spent[k] = get_lane(z.hazard[k], i);
      left[k] = get_lane(part(left_[k], g), i);
    }
    int events = 0;
    for (; events < MOST_IN_STEP; events++) {
      int first = -1;
      real rest = 0;  // time that remains after the first event
      BM_UNROLL for (int k = 0; k < BM_HAZARDS; k++) {
        if (!(spent[k] >= left[k])) continue;
        const real after = minimum((spent[k] - left[k]) / rate[k], time);  // more is rounding, of a small rate
        if (first < 0 || after > rest) first = k, rest = after;
      }
      if (first < 0) break;
      real now[BM_HAZARDS], next = 0;
      each_hazard([&](auto event, int k) {
        if (k != first) return;
        const Place before = at;
        const uint32_t count = s_.hazard_count[k][l];
        const Exponentials drawn = next_exponentials(event, k, l, count + 1);
        event.set(at, s_, l, launch_, p_, count, drawn.second);
        keep_within_walls(at, p_);
        s_.hazard_count[k][l] = count + 1;
        next = drawn.first;
        const double then = clock(l) - (double)(rest * p_.rate);
        Counters::event(s_, launch_, l, event.number, before, at, then, p_);
        Crossings(s_, p_, launch_).follow_at(at, z, g, i, then);
      });
      event_rates(at.u, at.v, phases_at(at), p_, now);
      each_hazard([&](auto, int k) {
        if (k == first) {
          left[k] = spent[k] + next;
          spent[k] = fma(now[k], rest, spent[k]);
        } else {
          spent[k] = fma(now[k] - rate[k], rest, spent[k]);
        }
      });
      BM_UNROLL for (int k = 0; k < BM_HAZARDS; k++) rate[k] = now[k];
    }
    if (events == MOST_IN_STEP) at.u[0] = (real)not_a_number();
    set_place(z, i, at);
    BM_UNROLL for (int k = 0; k < BM_HAZARDS; k++) {
      set_lane(z.hazard[k], i, spent[k]);
      Part all = part(left_[k], g);
      set_lane(all, i, left[k]);
      set_part(left_[k], g, all);
      s_.hazard_left[k][l] = (double)left[k];
    }
  }

  // Draw `count` of event k of trajectory l. On a GPU the threads of a warp draw that of their next event together, at
  // the beginning of a block: one alone would keep all waiting.
  Exponentials ahead_[BM_OWN_STEPS ? BM_HAZARDS : 1];
  BM_FN_MEMBER bool drawn_ahead(int k) const { return BM_OWN_STEPS && ahead_[k].first >= 0; }
  template <class E> BM_FN_MEMBER Exponentials next_exponentials(E event, int k, int l, uint32_t count) {
    if (!drawn_ahead(k)) return event_exponentials(event, launch_, l, count);
    const Exponentials drawn = ahead_[k];
    ahead_[k].first = -1;
    return drawn;
  }

  Trajectories& s_;
  const Parameters& p_;
  const Launch& launch_;
  T left_[BM_HAZARDS];  // what the integrals of the rates must reach, from the beginning of the block
  T lowest_;            // the lowest rate of the block
};
#else
struct Hazards {
  BM_FN_MEMBER Hazards(Trajectories&, const Parameters&, const Launch&) {}
  BM_FN_MEMBER static void start(Trajectories&, const Parameters&, const Launch&, int, real) {}
  BM_FN_MEMBER void begin_block() {}
  template <class W, class H, class F> BM_FN_MEMBER bool pass(Motion<T>&, const W&, const H*, F) { return false; }
  template <class F> BM_FN_MEMBER void pass_one(Motion<Part>&, int, int, const Place&, real, F) {}
  BM_FN_MEMBER void end_block(Motion<T>&) {}
};
#endif

}  // namespace bmsim_kernel
