// Events at zeros of a formula of the state and of t: one comes when a path crosses a zero, in the direction asked for.
//
// Where white noise does not move the formula directly, the path within a step is taken for the parabola that has its
// ends, and the change of its velocity, plus the mean of a Brownian bridge; the zero is found on it. What noise moves
// has the bridge's scatter there. The step ends at the zero with one part of its noise, the event happens, and the rest
// of the step follows with the other part: the error is of second order. Two crossings within a step are not seen: an
// error of first order where noise moves velocities.
//
// Where white noise moves the formula, the path crosses zeros between the ends of steps, too. It is taken for moved
// towards the zero by the overshoot of a walk (levels.h), and the event comes at the end of the step: on the average
// the state is that at the zero then, and the error is of first order.
//
// Kicks, and what other events set, may take a path over a zero: the event then follows at once.
//
// With mean fields, which events change, paths have such a step on the common clock: see jumps.h.
#pragma once
#include "event_numbers.h"
#include "jumps.h"
#include "levels.h"
#include "local.h"

namespace bmsim_kernel {

#if BM_CROSSINGS

// On which side of a zero a path is, for the event to come when it passes: below 0, above, or 0 where it is nearer to
// the zero than it is taken to be.
template <class E, class X, class S> BM_FN X side_of(E, const X& value, const S& overshoot) {
  if constexpr (!E::diffuses)
    return value;
  else if constexpr (E::directions == UP)
    return value + overshoot;
  else if constexpr (E::directions == DOWN)
    return value - overshoot;
  else
    return select(absolute(value) > overshoot, value, (real)0);
}
// Whether an event comes when its formula goes from one side to a value.
template <class E, class X, class S> BM_FN auto crosses(E, const X& side, const X& value, const S& overshoot) {
  const auto up = (side < (real)0) & (value + overshoot >= (real)0);
  const auto down = (side > (real)0) & (value - overshoot <= (real)0);
  if constexpr (E::directions == UP)
    return up;
  else if constexpr (E::directions == DOWN)
    return down;
  else
    return up | down;
}

class Crossings {
 public:
  BM_FN_MEMBER Crossings(Trajectories& s, const Parameters& p, const Launch& launch, Jumps* jumps = nullptr)
      : s_(s), p_(p), launch_(launch), jumps_(jumps) {}
#if BM_FIELDS
  // jumps: what the events of this step change.
  BM_FN_MEMBER Crossings(Trajectories& s, const Parameters& p, const Launch& launch, Jumps* jumps, const Fields& fields)
      : Crossings(s, p, launch, jumps) {
    BM_UNROLL for (int k = 0; k < BM_PHASES; k++) per_step_[k] = (real)p.phase_per_step[k];
    fields.set_slopes(per_step_);
  }
#endif

  // At t = 0. Mean fields are unknown as yet: see take_sides().
  BM_FN_MEMBER static void start(Trajectories& s, const Parameters& p, const Launch& launch) {
    Slot<real> phase[PHASES];
    for (int k = 0; k < BM_PHASES; k++)
      for (int l = 0; l < LANES; l++) phase[k][l] = 0;
    if constexpr (BM_RANDOM_PHASES)
      for (int k = 0; k < BM_PHASES; k++) draw_phases(launch, k, phase[k]);
    for (int l = 0; l < LANES; l++) {
      const Place place = place_of(s, l);
      real now[PHASES], value[BM_CROSSINGS];
      BM_UNROLL for (int k = 0; k < PHASES; k++) now[k] = BM_PHASES > 0 ? phase[k][l] : 0;
      crossing_values(place.u, place.v, now, p, value);
      BM_UNROLL for (int k = 0; k < BM_CROSSINGS; k++) s.crossing[k][l] = value[k];
      each_crossing([&](auto, int k) { s.crossing_count[k][l] = 0; });
    }
  }

  // After a step: whether an event happens in it to some trajectory. If none does, notes the formulas' values.
  BM_FN_MEMBER bool some_in_step(Motion<T>& z, const Local<T>& local) const {
    T value[BM_CROSSINGS], side[BM_CROSSINGS];
    values(z, local, value);
    bool some = false;
    each_crossing([&](auto event, int k) {
      const auto overshoot = overshoot_of(event, z, local);
      some = any(crosses(event, z.crossing[k], value[k], overshoot)) || some;
      side[k] = side_of(event, value[k], overshoot);
    });
    if (some) return true;
    BM_UNROLL for (int k = 0; k < BM_CROSSINGS; k++) z.crossing[k] = side[k];
    return false;
  }

  // Lets events happen to part g in a step from one place to another, z. length: that of the step, in steps; nothing
  // happens to trajectories with 0. clock(l): time at its beginning.
  template <class D, class F>
  BM_RARE_MEMBER void pass(const Motion<Part>& from, const Local<Part>& before, Motion<Part>& z,
                           const Local<Part>& after, Part length, White<Part> white, const PerVariable<D>& drift,
                           const Factors<Part>& factors, int g, Counters& counters, F clock) {
    Motion<Part> begin = from;
    Local<Part> local = before;
    // slack: how near to 0 a formula is that an event has left there, else 0; rest_at: its value then
    Part made = Part((real)0), slack[BM_CROSSINGS], rest_at[BM_CROSSINGS];
    BM_UNROLL for (int k = 0; k < BM_CROSSINGS; k++) slack[k] = rest_at[k] = Part((real)0);
    BM_NO_UNROLL for (int events = 0;; events++) {
      // the first event in the rest of the step
      Part end[BM_CROSSINGS], side[BM_CROSSINGS];
      values(z, after, end);
      bool some = false;
      each_crossing([&](auto event, int k) {
        const auto overshoot = overshoot_of(event, z, after);
        side[k] = side_of(event, end[k], overshoot);
        some = any(passes(event, k, begin, end[k], overshoot, slack[k], length)) || some;
      });
      Part at = Part(NEVER_IN_STEP), which = Part((real)0);
      Stage<Part> bend;
      if (some) {
        if constexpr (DIVIDES_STEPS) bend = bend_of(begin, local, z, after, length, drift, factors);
        each_crossing([&](auto event, int k) {
          const auto mine = passes(event, k, begin, end[k], overshoot_of(event, z, after), slack[k], length);
          if (!any(mine)) return;
          Part when = Part((real)1);
          if constexpr (!event.at_ends)
            when = zero(k, mine, begin, local, z, bend, length, end[k], slack[k], rest_at[k]);
          const auto first = mine & (when < at);
          at = select(first, when, at);
          which = select(first, (real)k, which);
        });
      }
      const auto now = at <= (real)1;
      BM_UNROLL for (int k = 0; k < BM_CROSSINGS; k++) z.crossing[k] =
          select((at > (real)1) & (length > (real)0) & (absolute(end[k]) > slack[k]), side[k], z.crossing[k]);
      if (!some) return;
      if (events == MOST_IN_STEP) {
        z.u[0] = select(now, Part((real)not_a_number()), z.u[0]);
        return;
      }
      // up to it
      const Part part_way = select(now, at, (real)1), steps = part_way * length;
      EventDraws drawn = draw(now, which, g);
      Motion<Part> there = z;
      Local<Part> then = after;
      if constexpr (DIVIDES_STEPS) {
        there = begin;
        then = local;
        advance_phases(then, steps);
        const Outside<Part> first = acting(local, begin, factors);
        const Stage<Part> place = on_way(begin, z, bend, part_way);
        BM_UNROLL for (int k = 0; k < BM_EVOLVING; k++) there.evolving[k] =
            fma(z.evolving[k] - begin.evolving[k], part_way, begin.evolving[k]);
        const Outside<Part> middle = acting(then, there, factors);
        // with mean fields the whole step has been counted before it
        const Part counted = Part(BM_FIELDS > 0 && events == 0 ? (real)1 : (real)0);
        Counters::before_step(there, steps - counted, first, middle, p_);
        BM_UNROLL for (int i = 0; i < VARIABLES; i++) there.u[i] = place.u[i];
        BM_UNROLL for (int i = 0; i < VELOCITIES; i++) there.v[i] = place.v[i];
        if constexpr (BM_INCREMENTS != BM_NO_INCREMENTS) {
          const Part size = sqrt(part_way * ((real)1 - part_way));
          weigh(drawn, there, then, which, begin, middle, length, size, drift, factors);
          scatter(there, drawn.white, middle, length, size);
        }
        add_squares(there, begin, steps);
        if constexpr (!BM_FIELDS) Counters::after_step(there, steps, middle, p_);
        const auto whole = part_way == (real)1;
        each_member(there, z, [&](Part& a, const Part& b) { a = select(whole, b, a); });
      }
      if constexpr (BM_FIELDS > 0) Counters::after_step(there, steps, acting(then, there, factors), p_);
      // the event
      Part zeros[BM_CROSSINGS], set_to[BM_CROSSINGS], probe[BM_CROSSINGS];
      values(there, then, zeros);
      each_lane(now, [&](int i) {
        const int l = g * WIDTH + i;
        Place at_zero = place_of(there, i);
        set_phases(at_zero, then, i);
        const double time = clock(l) + (double)(get_lane(made, i) + get_lane(steps, i));
        look(counters, begin, there, l, i, get_lane(steps, i), time);
        set(at_zero, (int)get_lane(which, i), l, time, get_lane(drawn.e, i));
        set_place(there, i, at_zero);
        look(counters, there, there, l, i, 0, time);
      });
      values(there, then, set_to);
      if constexpr (DIVIDES_STEPS)
        look_ahead(there, then, drift, factors, probe);
      else
        BM_UNROLL for (int k = 0; k < BM_CROSSINGS; k++) probe[k] = set_to[k];
      bool jumped = false;
      each_crossing([&](auto event, int k) {
        const auto mine = now & (which == (real)k);
        const Part near = fma(absolute(zeros[k]), (real)2, absolute(end[k]) * AT_ZERO);
        const auto stays = absolute(set_to[k]) <= near;
        const Part own = event.at_ends ? side_of(event, set_to[k], overshoot_of(event, there, then))
                                       : select(stays, probe[k] - set_to[k], set_to[k]);
        // events without end: noise at a zero from which it is not taken away; bounces in ever shorter times
        const auto endless = mine & (event.diffuses ? absolute(set_to[k] - zeros[k]) <= absolute(zeros[k]) * AT_ZERO
                                                    : stays & (slack[k] > (real)0) & (part_way < SHORTEST));
        there.u[0] = select(endless, (real)not_a_number(), there.u[0]);
        slack[k] = select(mine & stays, near, (real)0);
        rest_at[k] = select(mine & stays, set_to[k], (real)0);
        const auto over = now & !mine & crosses(event, begin.crossing[k], set_to[k], (real)0);
        jumped = any(over) || jumped;
        const Part other = event.at_ends ? begin.crossing[k] : select(over, begin.crossing[k], set_to[k]);
        there.crossing[k] = select(mine, own, other);
      });
      if (jumped)
        each_lane(now, [&](int i) {
          const int l = g * WIDTH + i;
          follow(there, then, g, i, clock(l) + (double)(get_lane(made, i) + get_lane(steps, i)), counters,
                 (int)get_lane(which, i));
        });
      // the rest
      const Part rest = length - steps;
      if constexpr (BM_FIELDS > 0) {
        const Outside<Part> here = acting(then, there, factors);
        Counters::before_step(there, Part((real)0), here, here, p_);
      }
      if constexpr (DIVIDES_STEPS) {
        const Part root = sqrt(part_way), other_root = sqrt((real)1 - part_way);
        BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) white.of[k] =
            fma(white.of[k], other_root, drawn.white.of[k] * ((real)0 - root));
        Motion<Part> moved = there;
        make_rest(moved, there, then, z, after, rest, white, drift, factors);
        const auto moves = now & (rest > (real)0);
        each_member(moved, there, [&](Part& a, const Part& b) { a = select(moves, a, b); });
        each_member(z, moved, [&](Part& a, const Part& b) { a = select(now, b, a); });
      } else {
        each_member(z, there, [&](Part& a, const Part& b) { a = select(now, b, a); });
      }
      begin = there;
      local = then;
      made = made + steps;
      length = select(now, rest, (real)0);
    }
  }

  // Events that follow when kicks or other events have moved lane i of part g, which is at this place. kept: an event
  // of which a trajectory is at the zero, on the side that z.crossing tells. Returns whether some have happened.
  BM_RARE_MEMBER bool follow_at(Place& place, Motion<Part>& z, int g, int i, double time, int kept = -1) {
    const int l = g * WIDTH + i;
    if (s_.stage[l] >= DONE) return false;
    real side[BM_CROSSINGS], value[BM_CROSSINGS];
    BM_UNROLL for (int k = 0; k < BM_CROSSINGS; k++) side[k] = get_lane(z.crossing[k], i);
    int events = 0;
    BM_NO_UNROLL for (; events <= MOST_IN_STEP; events++) {
      crossing_values(place.u, place.v, phases_at(place), p_, value);
      int which = -1;
      each_crossing([&](auto event, int k) {
        if (which < 0 && crosses(event, side[k], value[k], (real)0)) which = k;
      });
      if (which < 0) break;
      real e = 0;
      each_crossing([&](auto event, int k) {
        if (k == which) e = event_exponentials(event, launch_, l, s_.crossing_count[k][l]).second;
      });
      set(place, which, l, time, e);
      crossing_values(place.u, place.v, phases_at(place), p_, value);
      each_crossing([&](auto, int k) {
        if (k == which) side[k] = value[k];
      });
      if (which == kept) kept = -1;
    }
    if (events > MOST_IN_STEP) place.u[0] = (real)not_a_number();
    each_crossing(
        [&](auto event, int k) { set_lane(z.crossing[k], i, event.at_ends || k == kept ? side[k] : value[k]); });
    return events > 0;
  }
  template <class L>
  BM_FN_MEMBER void follow(Motion<Part>& z, const L& local, int g, int i, double time, Counters& counters,
                           int kept = -1) {
    Place place = place_of(z, i);
    set_phases(place, local, i);
    if (!follow_at(place, z, g, i, time, kept)) return;
    set_place(z, i, place);
    look(counters, z, z, g * WIDTH + i, i, 0, time);
  }

#if BM_FIELDS
  // At t = 0, when mean fields are known.
  BM_FN_MEMBER void take_sides(Motion<T>& z, const Local<T>& local) const {
    T value[BM_CROSSINGS];
    values(z, local, value);
    BM_UNROLL for (int k = 0; k < BM_CROSSINGS; k++) z.crossing[k] = value[k];
  }
  // Moves a path by what a jump of the fields does in the rest of a step. now, before: with the jump, and without it.
  template <class X, class D>
  BM_FN_MEMBER void push(Motion<X>& z, const Local<X>& now, const Local<X>& before, real rest,
                         [[maybe_unused]] const White<X>& white, const PerVariable<D>& drift) const {
    Outside<X> with = now.outside, without = before.outside;
    if constexpr (BM_EVOLVING > 0) add_present(with, z.evolving, p_), add_present(without, z.evolving, p_);
    const Stage<Part> more = rates(z, with, drift), less = rates(z, without, drift);
    [[maybe_unused]] Part wider[VARIABLES], narrower[VARIABLES];
    if constexpr (BM_MULTIPLIED) {
      multiplied_increments(z.u, z.v, with, p_, white, wider);
      multiplied_increments(z.u, z.v, without, p_, white, narrower);
    }
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      Part noise = Part((real)0);
      if constexpr (BM_MULTIPLIED) noise = (wider[i] - narrower[i]) * rest;
      if (is_inertial(i)) {
        const int k = velocity_of(i);
        z.v[k] = fma(more.v[k] - less.v[k], rest, z.v[k] + noise);
      } else {
        z.u[i] = fma(more.u[i] - less.u[i], rest, z.u[i] + noise);
      }
    }
    keep_within_walls(z, p_);
  }
  // After that, for the trajectories of a mask: those without an event in the step. One that has been pushed over a
  // zero stays on the side where it was: its event comes at the beginning of the next step.
  template <class M> BM_FN_MEMBER void take_sides(Motion<Part>& z, const Local<Part>& local, const M& mine) const {
    Part value[BM_CROSSINGS];
    values(z, local, value);
    each_crossing([&](auto event, int k) {
      if constexpr (!event.diffuses)
        z.crossing[k] = select(mine & !crosses(event, z.crossing[k], value[k], (real)0), value[k], z.crossing[k]);
    });
  }
#endif

 private:
  static constexpr real NEVER_IN_STEP = 2;
  static constexpr real AT_ZERO = (real)(SINGLE ? 1e-4 : 1e-9);    // of its change in a step: a formula is 0
  static constexpr real PRECISE = (real)(SINGLE ? 3e-7 : 1e-14);   // the same, of a zero that is found
  static constexpr real SHORTEST = (real)(SINGLE ? 2e-6 : 1e-14);  // part of a step that is not lost in rounding
  static constexpr int TRIALS = 48;                                // of a zero
  static constexpr real AHEAD = (real)0.125;                       // steps

  template <class X>
  BM_FN_MEMBER void values(const Motion<X>& z, const Local<X>& local, X (&value)[BM_CROSSINGS]) const {
    if constexpr (BM_PHASES > 0)
      crossing_values(z.u, z.v, local.phase, p_, value);
    else
      crossing_values(z.u, z.v, (const real*)0, p_, value);
  }
  // Change of a phase per step.
  BM_FN_MEMBER real per_step(int phase) const {
#if BM_FIELDS
    return per_step_[phase];
#else
    return (real)p_.phase_per_step[phase];
#endif
  }
  template <class L>
  BM_FN_MEMBER void advance_phases([[maybe_unused]] L& local, [[maybe_unused]] const Part& steps) const {
    if constexpr (BM_PHASES > 0) {
      BM_UNROLL for (int k = 0; k < BM_PHASES; k++) local.phase[k] = fma(steps, per_step(k), local.phase[k]);
      local.outside = outside_at(local.phase, p_);
    }
  }
  // Whether event k comes in a step of this length from `begin`, at whose end its formula has this value.
  template <class E, class S>
  BM_FN_MEMBER static auto passes(E event, int k, const Motion<Part>& begin, const Part& end, const S& overshoot,
                                  const Part& slack, const Part& length) {
    return crosses(event, begin.crossing[k], end, overshoot) & (absolute(end) > slack) & (length > (real)0);
  }
  // All that acts from outside, with noises as they are there.
  template <class L, class X>
  BM_FN_MEMBER Outside<X> acting(const L& local, [[maybe_unused]] const Motion<X>& z,
                                 [[maybe_unused]] const Factors<X>& factors) const {
    Outside<X> outside = local.outside;
    if constexpr (BM_METHOD == BM_ABOBA && BM_PHASES > 0) outside = outside_at(local.phase, p_);
    if constexpr (BM_EVOLVING > 0) add_present(outside, z.evolving, p_);
    if constexpr (BM_FACTORS > 0) add_factors(outside, factors);
    return outside;
  }
  // Changes per step by all that is not white noise.
  template <class D>
  BM_FN_MEMBER Stage<Part> rates(const Motion<Part>& z, const Outside<Part>& outside,
                                 const PerVariable<D>& drift) const {
    Part f[VARIABLES];
    Stage<Part> rate;
    begin_forces(drift, f);
    model_forces(z.u, z.v, outside, p_, f);
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      const VariableParameters& q = p_.variable[i];
      if (is_inertial(i)) {
        const int k = velocity_of(i);
        if constexpr (!DRIFT_IN_FORCES) f[i] = f[i] + with_force(Part(drift.of[i]), outside);
        rate.u[i] = z.v[k] * (q.per_length * p_.dt);
        rate.v[k] = fma(z.v[k], -q.gamma, f[i]) * (q.per_mass * p_.dt);
      } else {
        if constexpr (FORCED_APART) f[i] = f[i] + Part(outside.force[0]);
        rate.u[i] = f[i] * q.h;
        if constexpr (!DRIFT_IN_FORCES) rate.u[i] = rate.u[i] + Part(drift.of[i]);
      }
    }
    return rate;
  }
  // What a path is away from a straight line at the fraction f of a step, in units of f (1 - f): of parabolas that
  // begin with the rates there, or, of what noise moves, have the change of the rates.
  template <class D>
  BM_FN_MEMBER Stage<Part> bend_of(const Motion<Part>& begin, const Local<Part>& before, const Motion<Part>& end,
                                   const Local<Part>& after, const Part& length, const PerVariable<D>& drift,
                                   const Factors<Part>& factors) const {
    const Stage<Part> first = rates(begin, acting(before, begin, factors), drift);
    const Stage<Part> last = rates(end, acting(after, end, factors), drift);
    Stage<Part> bend;
    const auto bent = [&](bool noisy, bool walled, const Part& from, const Part& to, const Part& rate,
                          const Part& last_rate) BM_FN_LAMBDA {
      if (walled) return Part((real)0);
      return noisy ? (rate - last_rate) * (length * (real)0.5) : fma(rate, length, from - to);
    };
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      const bool noisy = has(BM_WHITE | BM_MULTIPLIED, i), walled = has(BM_WALLED, i);
      bend.u[i] = bent(noisy && !is_inertial(i), walled, begin.u[i], end.u[i], first.u[i], last.u[i]);
      if (is_inertial(i)) {
        const int k = velocity_of(i);
        bend.v[k] = bent(noisy, walled, Part(begin.v[k]), Part(end.v[k]), first.v[k], last.v[k]);
      }
    }
    return bend;
  }
  BM_FN_MEMBER static Stage<Part> on_way(const Motion<Part>& begin, const Motion<Part>& end, const Stage<Part>& bend,
                                         const Part& f) {
    Stage<Part> place;
    const Part away = f * ((real)1 - f);
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) place.u[i] =
        fma(bend.u[i], away, fma(end.u[i] - begin.u[i], f, begin.u[i]));
    BM_UNROLL for (int k = 0; k < VELOCITIES; k++) place.v[k] =
        fma(bend.v[k], away, fma(end.v[k] - begin.v[k], f, begin.v[k]));
    return place;
  }
  // The fraction of a step at which formula k is 0, or just beyond it, for the trajectories of a mask. Trials are by
  // false position, by steps over the zero, twice as far as it seems to be, and by bisection. Where the step begins at
  // a zero (slack > 0) it is the formula over the fraction that is followed, whose value at the beginning is the
  // formula's slope.
  template <class L, class M>
  BM_FN_MEMBER Part zero(int k, const M& mine, const Motion<Part>& begin, const L& local, const Motion<Part>& end,
                         const Stage<Part>& bend, const Part& length, const Part& at_end, const Part& slack,
                         const Part& rest_at) const {
    const auto from_zero = slack > (real)0;
    const Part sign = select(begin.crossing[k] < (real)0, Part((real)1), Part((real)-1));
    Part low = Part((real)0), high = Part((real)1), last = high, above = (at_end - rest_at) * sign;
    Part below = absolute(begin.crossing[k]) * select(from_zero, length * ((real)-1 / AHEAD), (real)-1);
    const Part enough = (above - below) * PRECISE;
    auto open = mine & (above > enough);
    BM_NO_UNROLL for (int trial = 0; trial < TRIALS; trial++) {
      const Part width = high - low, slope = maximum(above - below, (real)1e-30);
      Part f = (low + high) * (real)0.5;
      if (trial % 3 == 0)
        f = fma(width / slope, (real)0 - below, low);
      else if (trial % 3 == 1)
        f = select(last == low, fma(width / slope, below * (real)-2, low), fma(width / slope, above * (real)-2, high));
      f = minimum(maximum(f, low), high);
      const Part value = (formula_at(k, begin, local, end, bend, length, f) - rest_at) * sign;
      const Part followed = select(from_zero, value / maximum(f, (real)1e-30), value);
      // a trajectory that has found its zero does not notice how long others search
      const auto beyond = open & (followed >= (real)0), before = open & (followed < (real)0);
      below = select(before, followed, below);
      above = select(beyond, followed, above);
      low = select(before, f, low);
      high = select(beyond, f, high);
      last = f;
      open = open & (above > enough);
      if (!any(open)) break;
    }
    return high;
  }
  template <class L>
  BM_FN_MEMBER Part formula_at(int k, const Motion<Part>& begin, [[maybe_unused]] const L& local,
                               const Motion<Part>& end, const Stage<Part>& bend, [[maybe_unused]] const Part& length,
                               const Part& f) const {
    const Stage<Part> place = on_way(begin, end, bend, f);
    Part value[BM_CROSSINGS];
    if constexpr (BM_PHASES > 0) {
      Part phase[PHASES];
      BM_UNROLL for (int j = 0; j < BM_PHASES; j++) phase[j] = fma(f * length, per_step(j), local.phase[j]);
      crossing_values(place.u, place.v, phase, p_, value);
    } else {
      crossing_values(place.u, place.v, (const real*)0, p_, value);
    }
    Part mine = value[0];
    BM_UNROLL for (int j = 1; j < BM_CROSSINGS; j++) mine = j == k ? value[j] : mine;
    return mine;
  }
  // Random numbers of the events that happen: unit exponentials, one for `weigh` and one for what is set; and white
  // increments of a whole step, by which the two parts of a divided one differ.
  struct EventDraws {
    Part energy, e;
    White<Part> white;
  };
  template <class M> BM_FN_MEMBER EventDraws draw(const M& now, const Part& which, int g) const {
    EventDraws drawn;
    drawn.energy = drawn.e = Part((real)0);
    BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) drawn.white.of[k] = Part((real)0);
    each_lane(now, [&](int i) {
      const uint64_t trajectory = launch_.trajectory + (uint64_t)(g * WIDTH + i);
      each_crossing([&](auto event, int j) {
        if (j != (int)get_lane(which, i)) return;
        const uint32_t count = s_.crossing_count[j][g * WIDTH + i];
        uint32_t word[4];
        draw_one(launch_.seed, stream_events(event.component), count, trajectory, word);
        set_lane(drawn.energy, i, exponential_of(word[0]));
        set_lane(drawn.e, i, exponential_of(word[1]));
        if constexpr (!DIVIDES_STEPS || BM_INCREMENTS == BM_NO_INCREMENTS) return;
        BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) {
          if (k % 2 == 1)
            draw_one(launch_.seed, stream_bridge(event.component, (uint32_t)k / 2), count, trajectory, word);
          const int at = k % 2 == 0 ? 2 : 0;
          set_lane(drawn.white.of[k], i,
                   normal(uniform(word[at]), exponential_of(word[at + 1])) * source_deviation(k, p_));
        }
      });
    });
    return drawn;
  }
  // At a zero a path that passes it fast is more likely than a slow one, in proportion to the speed of the formula, u.
  // Gives the scatter that changes u, in its direction, the law u [g(u - m) - g(u + m)], u > 0, where g is the normal
  // law and m the mean: that of the distance of a three-dimensional normal point from 0.
  template <class D>
  BM_FN_MEMBER void weigh(EventDraws& drawn, const Motion<Part>& z, const Local<Part>& local, const Part& which,
                          const Motion<Part>& begin, const Outside<Part>& outside, const Part& length, const Part& size,
                          const PerVariable<D>& drift, const Factors<Part>& factors) const {
    const auto speed = [&](const Motion<Part>& at) {
      Part here[BM_CROSSINGS], ahead[BM_CROSSINGS];
      values(at, local, here);
      look_ahead(at, local, drift, factors, ahead);
      Part change = Part((real)0);
      BM_UNROLL for (int k = 0; k < BM_CROSSINGS; k++) {
        const Part up = ahead[k] - here[k];
        change = select(which == (real)k, select(begin.crossing[k] < (real)0, up, (real)0 - up), change);
      }
      return change;
    };
    const Part mean = speed(z);
    Part along[BM_SOURCES], squares = Part((real)0), sum = Part((real)0);
    BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) {
      White<Part> one;
      BM_UNROLL for (int j = 0; j < BM_SOURCES; j++) one.of[j] = Part(j == k ? source_deviation(k, p_) : (real)0);
      Motion<Part> moved = z;
      scatter(moved, one, outside, length, size);
      along[k] = speed(moved) - mean;
      squares = fma(along[k], along[k], squares);
      sum = fma(along[k], drawn.white.of[k] * ((real)1 / maximum(source_deviation(k, p_), (real)1e-30)), sum);
    }
    const Part u = sqrt(fma(mean + sum, mean + sum, squares * drawn.energy * (real)2));
    const Part more = (u - mean - sum) / maximum(squares, (real)1e-30);
    BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) drawn.white.of[k] =
        fma(select(squares > (real)0, along[k] * more, (real)0), source_deviation(k, p_), drawn.white.of[k]);
  }
  // Adds the scatter of what noise moves within a step of this length.
  template <class X>
  BM_FN_MEMBER void scatter(Motion<X>& z, const White<X>& fresh, const Outside<X>& outside, const X& length,
                            const X& size) const {
    X xi[VARIABLES];
    [[maybe_unused]] X multiplied[VARIABLES];
    white_increments(fresh, p_, xi);
    if constexpr (BM_MULTIPLIED) multiplied_increments(z.u, z.v, outside, p_, of_step(fresh, length), multiplied);
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      X change = X((real)0);
      if (has(BM_WHITE, i)) change = xi[i] * shrink(i, length, p_);
      if (has(BM_MULTIPLIED, i)) change = change + multiplied[i];
      if (is_inertial(i))
        z.v[velocity_of(i)] = fma(change, size, z.v[velocity_of(i)]);
      else
        z.u[i] = fma(change, size, z.u[i]);
    }
  }
  // The sums of v^2 in the part of a step before an event.
  BM_FN_MEMBER void add_squares([[maybe_unused]] Motion<Part>& z, [[maybe_unused]] const Motion<Part>& begin,
                                [[maybe_unused]] const Part& steps) const {
    if constexpr (BM_SQUARES) BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
        if (!is_inertial(i)) continue;
        const int k = velocity_of(i);
        const Part mean = fma(z.v[k], z.v[k], begin.v[k] * begin.v[k]) * (real)0.5;
        const real unit = BM_METHOD == BM_ABOBA ? (real)1 / p_.variable[i].square : (real)1;
        z.squares[k] = fma((mean - constant_square(i, p_)) * steps, Part(unit), begin.squares[k]);
      }
  }
  BM_FN_MEMBER void look([[maybe_unused]] Counters& counters, const Motion<Part>& from, const Motion<Part>& to, int l,
                         int i, real length, double time) {
    if constexpr (!Counters::LOOKS) return;
    if (length == 0) counters.begin_block();  // whole periods may have changed
    counters.look(l, get_lane(seen_of(from, p_).at, i), get_lane(seen_of(to, p_), i), length, time);
  }
  // Event `which` of crossings happens to trajectory l. e: a unit exponential number of it.
  BM_FN_MEMBER void set(Place& place, int which, int l, double time, real e) {
    each_crossing([&](auto event, int k) {
      if (k != which) return;
      const Place before = place;
      event.set(place, s_, l, launch_, p_, s_.crossing_count[k][l], e);
      keep_within_walls(place, p_);
      if (BM_FIELDS > 0 && jumps_ != nullptr) jumps_->add(l, before, place, time, p_);
      s_.crossing_count[k][l] += 1u;
      Counters::event(s_, launch_, l, event.number, before, place, time, p_);
    });
  }
  // The formulas a little later, on the way that the path takes from there.
  template <class D>
  BM_FN_MEMBER void look_ahead(const Motion<Part>& z, const Local<Part>& local, const PerVariable<D>& drift,
                               const Factors<Part>& factors, Part (&value)[BM_CROSSINGS]) const {
    const Stage<Part> rate = rates(z, acting(local, z, factors), drift);
    Motion<Part> ahead = z;
    Local<Part> later = local;
    advance_phases(later, Part(AHEAD));
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) ahead.u[i] = fma(rate.u[i], AHEAD, z.u[i]);
    BM_UNROLL for (int k = 0; k < VELOCITIES; k++) ahead.v[k] = fma(rate.v[k], AHEAD, z.v[k]);
    values(ahead, later, value);
  }
  // The rest of a step, from `from`; end: what has come of the whole step without the event.
  template <class D>
  BM_FN_MEMBER void make_rest(Motion<Part>& z, const Motion<Part>& from, const Local<Part>& local,
                              const Motion<Part>& end, const Local<Part>& after, const Part& rest,
                              const White<Part>& white, const PerVariable<D>& drift,
                              const Factors<Part>& factors) const {
    Outside<Part> first = acting(local, from, factors), last = acting(after, end, factors);
    if constexpr (BM_METHOD == BM_ABOBA) {
      if constexpr (BM_PHASES > 0) {
        Local<Part> middle = local;
        advance_phases(middle, rest * (real)0.5);
        const Outside<Part> begun = acting(middle, from, factors), ended = acting(middle, end, factors);
        first = begun, last = ended;
      }
      each_member(first, last, [](Part& a, const Part& b) { a = (a + b) * (real)0.5; });
      last = first;
    }
    const Numbers<Part> none{};  // noises with increments of their own have events at the ends of steps alone
    Counters::before_step(z, rest, first, last, p_);
    Lack<Part> lack;
    move(z, rest, white, none, drift, first, last, p_, lack);
    if constexpr (BM_WALLS) bounce(z, rest, drift, last, p_);
    if constexpr (!BM_FIELDS) Counters::after_step(z, rest, last, p_);
    BM_UNROLL for (int k = 0; k < BM_EVOLVING; k++) z.evolving[k] = end.evolving[k];
  }

  // By how much a path is taken for nearer to a zero, see levels.h: by the deviation of its formula in a step from
  // there on.
  template <class E, class X>
  BM_FN_MEMBER auto overshoot_of(E, [[maybe_unused]] const Motion<X>& z, [[maybe_unused]] const Local<X>& local) const {
    if constexpr (!E::diffuses) {
      return (real)0;
    } else {
      const X variance =
          variance_of(z.u, z.v, local.outside, BM_WHITE, p_, [&](const auto& u, const auto& v) BM_FN_LAMBDA {
            Dual<X> value[BM_CROSSINGS];
            if constexpr (BM_PHASES > 0)
              crossing_values(u, v, local.phase, p_, value);
            else
              crossing_values(u, v, (const real*)0, p_, value);
            return value[E::crossing];
          });
      return sqrt(variance) * (real)overshoot_of_walk(BM_SOURCES);
    }
  }

  Trajectories& s_;
  const Parameters& p_;
  const Launch& launch_;
  Jumps* jumps_;
#if BM_FIELDS
  real per_step_[PHASES];
#endif
};

#else
struct Crossings {
  BM_FN_MEMBER Crossings(Trajectories&, const Parameters&, const Launch&) {}
  BM_FN_MEMBER bool follow_at(Place&, Motion<Part>&, int, int, double) { return false; }
};
#endif

}  // namespace bmsim_kernel
