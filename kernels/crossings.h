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
  BM_FN_MEMBER Crossings(Trajectories& s, const Parameters& p, const Launch& launch, Jumps* jumps = nullptr)
      : WithinStep(p), s_(s), launch_(launch), jumps_(jumps) {}
#if BM_FIELDS
  // jumps: what the events of this step change.
  BM_FN_MEMBER Crossings(Trajectories& s, const Parameters& p, const Launch& launch, Jumps* jumps, const Fields& fields)
      : Crossings(s, p, launch, jumps) {
    set_slopes(fields);
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
  // happens to trajectories with 0. clock(l): time at its beginning. unseen: what counters will have to see after it.
  template <class D, class F>
  BM_RARE_MEMBER void pass(const Motion<Part>& from, const Local<Part>& before, Motion<Part>& z,
                           const Local<Part>& after, Part length, White<Part> white, const PerVariable<D>& drift,
                           const Factors<Part>& factors, int g, Counters& counters, F clock, Unseen<Part>& unseen) {
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
          weigh(drawn.white, drawn.energy, there, then, which, begin, middle, length, size, drift, factors);
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
      unseen.from = select(now, seen_of(there, p_).at, unseen.from);
      unseen.steps = select(now, rest, unseen.steps);
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
  static constexpr real SHORTEST = (real)(SINGLE ? 2e-6 : 1e-14);  // part of a step that is not lost in rounding

  // Whether event k comes in a step of this length from `begin`, at whose end its formula has this value.
  template <class E, class S>
  BM_FN_MEMBER static auto passes(E event, int k, const Motion<Part>& begin, const Part& end, const S& overshoot,
                                  const Part& slack, const Part& length) {
    return crosses(event, begin.crossing[k], end, overshoot) & (absolute(end) > slack) & (length > (real)0);
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
  BM_FN_MEMBER bool follow_at(Place&, Motion<Part>&, int, int, double) { return false; }
};
#endif

}  // namespace bmsim_kernel
