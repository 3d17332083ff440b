// Events at zeros of a formula of the state and of t: one comes when a path crosses a zero, in the direction asked for.
//
// Where white noise does not move the formula directly, the zero is found on the path within the step (within_step.h).
// The step ends there with one part of its noise, the event happens, and the rest of the step follows with the other
// part: the error is of second order. Two crossings within a step are not seen: an error of first order where noise
// moves velocities.
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
#include "fields.h"
#include "jumps.h"
#include "levels.h"
#include "local.h"
#include "within_step.h"

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

class Crossings : WithinStep {
 public:
  BM_FN_MEMBER Crossings(Trajectories& s, const Parameters& p, const Launch& launch)
      : WithinStep(p), s_(s), launch_(launch), jumps_(nullptr) {}
  // jumps: what the events of this step change.
  BM_FN_MEMBER Crossings(Trajectories& s, const Parameters& p, const Launch& launch, Jumps* jumps, const Fields& fields)
      : WithinStep(p), s_(s), launch_(launch), jumps_(jumps) {
    set_slopes(fields);
  }

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
  // happens to trajectories with 0. clock(l): time at its beginning. unseen: what counters will have to see after it.
  template <class D, class F>
  BM_RARE_MEMBER void pass(const Motion<Part>& from, const Local<Part>& before, Motion<Part>& z,
                           const Local<Part>& after, Part length, White<Part> white, const PerVariable<D>& drift,
                           const Factors<Part>& factors, int g, Counters& counters, F clock, Unseen<Part>& unseen) {
    Rest<D> rest{after, drift, factors, from, before, length, white};
    BM_NO_UNROLL for (int events = 0;; events++) {
      const Next next = find(rest, z);
      if (!next.some) return;
      const auto now = next.at <= (real)1;
      if (events == MOST_IN_STEP) {
        z.u[0] = select(now, Part((real)not_a_number()), z.u[0]);
        return;
      }
      const Part part_way = select(now, next.at, (real)1);
      EventDraws drawn = draw(now, next.which, g);
      Motion<Part> there = z;
      Local<Part> then = after;
      // With mean fields the whole step has been counted before it.
      const Part counted = Part(BM_FIELDS > 0 && events == 0 ? (real)1 : (real)0);
      advance_to(there, then, rest, z, next, part_way, counted, drawn);
      happen(there, then, rest, next, now, part_way, drawn.e, g, counters, clock);
      make_rest_after(rest, there, then, z, now, part_way, drawn);
      unseen.from = select(now, seen_of(there, p_).at, unseen.from);
      unseen.steps = select(now, rest.length, unseen.steps);
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

 private:
  static constexpr real NEVER_IN_STEP = 2;
  static constexpr real AT_ZERO = (real)(SINGLE ? 1e-4 : 1e-9);    // of its change in a step: a formula is 0
  static constexpr real SHORTEST = (real)(SINGLE ? 2e-6 : 1e-14);  // part of a step that is not lost in rounding

  // What is left of a step after the events that have happened in it.
  template <class D> struct Rest {
    const Local<Part>& after;  // at the end of the step
    const PerVariable<D>& drift;
    const Factors<Part>& factors;
    Motion<Part> begin;  // where it begins
    Local<Part> local;
    Part length;                  // in steps
    White<Part> white;            // as of a whole step
    Part passed = Part((real)0);  // steps before it
    // How near to 0 a formula is that an event has left there, else 0; its value then.
    Part slack[BM_CROSSINGS] = {}, rest_at[BM_CROSSINGS] = {};
  };
  // The next event: the fraction of the rest of the step at which it comes, if it does, and which it is.
  struct Next {
    bool some;  // to some trajectory
    Part at, which;
    Part end[BM_CROSSINGS];  // the formulas at the end of the step
    Stage<Part> bend;
  };
  // Whether event k comes in the rest of a step, at whose end its formula has this value.
  template <class E, class D, class S>
  BM_FN_MEMBER static auto passes(E event, int k, const Rest<D>& rest, const Part& end, const S& overshoot) {
    return crosses(event, rest.begin.crossing[k], end, overshoot) & (absolute(end) > rest.slack[k]) &
           (rest.length > (real)0);
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
  // z: at the end of the step. Notes there on which sides of the zeros paths without an event are.
  template <class D> BM_FN_MEMBER Next find(const Rest<D>& rest, Motion<Part>& z) const {
    Next next;
    next.some = false;
    next.at = Part(NEVER_IN_STEP);
    next.which = Part((real)0);
    Part side[BM_CROSSINGS];
    values(z, rest.after, next.end);
    each_crossing([&](auto event, int k) {
      const auto overshoot = overshoot_of(event, z, rest.after);
      side[k] = side_of(event, next.end[k], overshoot);
      next.some = any(passes(event, k, rest, next.end[k], overshoot)) || next.some;
    });
    if (next.some) {
      if constexpr (DIVIDES_STEPS)
        next.bend = bend_of(rest.begin, rest.local, z, rest.after, rest.length, rest.drift, rest.factors);
      each_crossing([&](auto event, int k) {
        const auto mine = passes(event, k, rest, next.end[k], overshoot_of(event, z, rest.after));
        if (!any(mine)) return;
        Part when = Part((real)1);
        if constexpr (!event.at_ends)
          when = zero(k, mine, rest.begin, rest.local, z, next.bend, rest.length, next.end[k], rest.slack[k],
                      rest.rest_at[k]);
        const auto first = mine & (when < next.at);
        next.at = select(first, when, next.at);
        next.which = select(first, (real)k, next.which);
      });
    }
    BM_UNROLL for (int k = 0; k < BM_CROSSINGS; k++) z.crossing[k] =
        select((next.at > (real)1) & (rest.length > (real)0) & (absolute(next.end[k]) > rest.slack[k]), side[k],
               z.crossing[k]);
    return next;
  }
  // Moves `there`, which is at the end z of the step, to the event, and gives its increments the weight that they have
  // at a zero. counted: steps that counters have seen.
  template <class D>
  BM_FN_MEMBER void advance_to(Motion<Part>& there, Local<Part>& then, const Rest<D>& rest, const Motion<Part>& z,
                               const Next& next, const Part& part_way, const Part& counted, EventDraws& drawn) const {
    const Part steps = part_way * rest.length;
    if constexpr (DIVIDES_STEPS) {
      there = rest.begin;
      then = rest.local;
      advance_phases(then, steps);
      const Outside<Part> first = acting(rest.local, rest.begin, rest.factors);
      const Stage<Part> place = on_way(rest.begin, z, next.bend, part_way);
      BM_UNROLL for (int k = 0; k < BM_EVOLVING; k++) there.evolving[k] =
          fma(z.evolving[k] - rest.begin.evolving[k], part_way, rest.begin.evolving[k]);
      const Outside<Part> middle = acting(then, there, rest.factors);
      Counters::before_step(there, steps - counted, first, middle, p_);
      BM_UNROLL for (int i = 0; i < VARIABLES; i++) there.u[i] = place.u[i];
      BM_UNROLL for (int i = 0; i < VELOCITIES; i++) there.v[i] = place.v[i];
      if constexpr (BM_INCREMENTS != BM_NO_INCREMENTS) {
        const Part size = sqrt(part_way * ((real)1 - part_way));
        weigh(drawn.white, drawn.energy, there, then, next.which, rest.begin, middle, rest.length, size, rest.drift,
              rest.factors);
        scatter(there, drawn.white, middle, rest.length, size);
      }
      add_squares(there, rest.begin, steps);
      if constexpr (!BM_FIELDS) Counters::after_step(there, steps, middle, p_);
      const auto whole = part_way == (real)1;
      each_member(there, z, [&](Part& a, const Part& b) { a = select(whole, b, a); });
    }
    if constexpr (BM_FIELDS > 0) Counters::after_step(there, steps, acting(then, there, rest.factors), p_);
  }
  // The event itself, to the trajectories of the mask `now`; and those that follow it. e: unit exponentials.
  template <class D, class M, class F>
  BM_FN_MEMBER void happen(Motion<Part>& there, const Local<Part>& then, Rest<D>& rest, const Next& next, const M& now,
                           const Part& part_way, const Part& e, int g, Counters& counters, F clock) {
    const Part steps = part_way * rest.length;
    const auto time = [&](int i) {
      return clock(g * WIDTH + i) + (double)(get_lane(rest.passed, i) + get_lane(steps, i));
    };
    Part zeros[BM_CROSSINGS];
    values(there, then, zeros);
    each_lane(now, [&](int i) {
      const int l = g * WIDTH + i;
      Place at_zero = place_of(there, i);
      set_phases(at_zero, then, i);
      look(counters, rest.begin, there, l, i, get_lane(steps, i), time(i));
      set(at_zero, (int)get_lane(next.which, i), l, time(i), get_lane(e, i));
      set_place(there, i, at_zero);
      look(counters, there, there, l, i, 0, time(i));
    });
    if (!take_sides_after(there, then, rest, next, now, part_way, zeros)) return;
    each_lane(now, [&](int i) { follow(there, then, g, i, time(i), counters, (int)get_lane(next.which, i)); });
  }
  // On which sides of the zeros an event has left paths; zeros: the formulas before it. Returns whether some have been
  // taken over another zero.
  template <class D, class M>
  BM_FN_MEMBER bool take_sides_after(Motion<Part>& there, const Local<Part>& then, Rest<D>& rest, const Next& next,
                                     const M& now, const Part& part_way, const Part (&zeros)[BM_CROSSINGS]) const {
    Part set_to[BM_CROSSINGS], probe[BM_CROSSINGS];
    values(there, then, set_to);
    if constexpr (DIVIDES_STEPS)
      look_ahead(there, then, rest.drift, rest.factors, probe);
    else
      BM_UNROLL for (int k = 0; k < BM_CROSSINGS; k++) probe[k] = set_to[k];
    bool jumped = false;
    each_crossing([&](auto event, int k) {
      const auto mine = now & (next.which == (real)k);
      const Part near = fma(absolute(zeros[k]), (real)2, absolute(next.end[k]) * AT_ZERO);
      const auto stays = absolute(set_to[k]) <= near;
      const Part own = event.at_ends ? side_of(event, set_to[k], overshoot_of(event, there, then))
                                     : select(stays, probe[k] - set_to[k], set_to[k]);
      // events without end: noise at a zero from which it is not taken away; bounces in ever shorter times
      const auto endless = mine & (event.diffuses ? absolute(set_to[k] - zeros[k]) <= absolute(zeros[k]) * AT_ZERO
                                                  : stays & (rest.slack[k] > (real)0) & (part_way < SHORTEST));
      there.u[0] = select(endless, (real)not_a_number(), there.u[0]);
      rest.slack[k] = select(mine & stays, near, (real)0);
      rest.rest_at[k] = select(mine & stays, set_to[k], (real)0);
      const auto over = now & !mine & crosses(event, rest.begin.crossing[k], set_to[k], (real)0);
      jumped = any(over) || jumped;
      const Part other = event.at_ends ? rest.begin.crossing[k] : select(over, rest.begin.crossing[k], set_to[k]);
      there.crossing[k] = select(mine, own, other);
    });
    return jumped;
  }
  // Makes the rest of the step after an event, which ends in z, and prepares for another event in it.
  template <class D, class M>
  BM_FN_MEMBER void make_rest_after(Rest<D>& rest, Motion<Part>& there, const Local<Part>& then, Motion<Part>& z,
                                    const M& now, const Part& part_way, const EventDraws& drawn) const {
    const Part steps = part_way * rest.length, length = rest.length - steps;
    if constexpr (BM_FIELDS > 0) {
      const Outside<Part> here = acting(then, there, rest.factors);
      Counters::before_step(there, Part((real)0), here, here, p_);
    }
    if constexpr (DIVIDES_STEPS) {
      const Part root = sqrt(part_way), other_root = sqrt((real)1 - part_way);
      BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) rest.white.of[k] =
          fma(rest.white.of[k], other_root, drawn.white.of[k] * ((real)0 - root));
      Motion<Part> moved = there;
      make_rest(moved, there, then, z, rest.after, length, rest.white, rest.drift, rest.factors);
      const auto moves = now & (length > (real)0);
      each_member(moved, there, [&](Part& a, const Part& b) { a = select(moves, a, b); });
      each_member(z, moved, [&](Part& a, const Part& b) { a = select(now, b, a); });
    } else {
      each_member(z, there, [&](Part& a, const Part& b) { a = select(now, b, a); });
    }
    rest.begin = there;
    rest.local = then;
    rest.passed = rest.passed + steps;
    rest.length = select(now, length, (real)0);
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
  Trajectories& s_;
  const Launch& launch_;
  Jumps* jumps_;
};

#else
struct Crossings {
  BM_FN_MEMBER Crossings(Trajectories&, const Parameters&, const Launch&) {}
  BM_FN_MEMBER Crossings(Trajectories&, const Parameters&, const Launch&, Jumps*, const Fields&) {}
  BM_FN_MEMBER static void start(Trajectories&, const Parameters&, const Launch&) {}
  BM_FN_MEMBER bool some_in_step(const Motion<T>&, const Local<T>&) const { return false; }
  template <class... A> BM_FN_MEMBER void pass(const A&...) {}
  BM_FN_MEMBER bool follow_at(Place&, Motion<Part>&, int, int, double) { return false; }
  template <class... A> BM_FN_MEMBER void follow(const A&...) {}
  template <class... A> BM_FN_MEMBER void take_sides(const A&...) const {}
  template <class... A> BM_FN_MEMBER void push(const A&...) const {}
};
#endif

}  // namespace bmsim_kernel
