// Stepper for models with events: every trajectory on its own clock (events.h).
#pragma once
#include "coarse.h"
#include "crossings.h"
#include "ends.h"
#include "events.h"
#include "hazards.h"
#include "increment_laws.h"
#include "outside_table.h"
#include "seen.h"
#include "sums.h"
#include "trial.h"

namespace bmsim_kernel {

class Stepper {
 public:
  BM_FN_MEMBER Stepper(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools)
      : events_(s, p, launch, pools),
        counters_(s, p, launch),
        hazards_(s, p, launch),
        z_(load_motion(s)),
        next_(load(s.next)),
        drift_(load_drift(s, p)),
        factors_(load_factors(s, p)),
        local_(constant_local(p)),
        gathered_(load_gathered(s, z_)) {
    events_.resume();
  }
  BM_FN_MEMBER void save() {
    save_motion(events_.s, z_);
    store(events_.s.next, next_);
    save_gathered(events_.s, gathered_);
  }

  BM_FN_MEMBER void begin_block(uint64_t iteration) {
    events_.first = iteration;
    store(events_.s.next, next_);
    events_.stop_in_block([&](int l) BM_FN_LAMBDA {
      BM_UNROLL for (int k = 0; k < VARIABLES; k++)
          keep_middle(events_.s, l, k, (double)get_lane(part(z_.u[k], l / WIDTH), l % WIDTH) + events_.s.periods[k][l]);
      Counters::pass_middle(part_of(z_, l / WIDTH), events_.s, l, l % WIDTH);
    });
    next_ = load(events_.s.next);
    counters_.begin_block();
    hazards_.begin_block();
    begin_local(local_, events_.launch, events_.p, [&](int l) { return clock(l, 0) - gathered(l); });
  }

#if BM_COARSE
  // Moves after two steps, and when a step ends early.
  BM_FN_MEMBER void step(const White<T>& xi, int in_run) {
    const int i = run_ + in_run;
    const Parameters& p = events_.p;
    const auto ends = next_ < (real)1;
    const T fraction = minimum(next_, (real)1);
    Numbers<T> numbers;
    numbers_.draw(events_.launch, events_.first + (uint64_t)i, numbers);
    gather(gathered_, fraction, xi, numbers, p);
    next_ = next_ - fraction;
    const auto moves = ends || gathered_.length > (real)1.5;
    if (!any(moves)) return;
    Motion<T> z = z_;
    Local<T> local = local_;
    advance(z, local, gathered_.length, gathered_, gathered_, drift_, factors_, p);
    const T before = seen_of(z_, p).at;
    const auto replace = [&](T& old, const T& now) { old = select(moves, now, old); };
    each_member(z_, z, replace);
    each_member(local_, local, replace);
    if (counters_.reached(seen_of(z_, p))) look_at_moved(before, moves, fraction, i);
    const auto moved_now = nothing_gathered(z_);
    each_member(gathered_, moved_now, replace);
    if (any(ends)) let_happen(ends, fraction, i);
  }
#elif BM_OWN_STEPS
  // Every thread makes a step of the length it needs.
#if BM_PLAIN_RUNS
  BM_FN_MEMBER bool plain() { return !events_.unusual(next_); }
  BM_FN_MEMBER bool careful() { return events_.careful_run(); }
  BM_FN_MEMBER void step(const White<T>& xi, int in_run) { make<PLAIN>(xi, in_run); }
  // A step of a run that may be made again, and what came of it (trial.h).
  BM_FN_MEMBER void try_step(const White<T>& xi, int in_run) { make<PLAIN, true>(xi, in_run); }
  BM_FN_MEMBER void begin_try() { range_.begin(); }
  BM_FN_MEMBER bool met() const { return counters_.met(range_.low, range_.high); }
  BM_FN_MEMBER void marked_step(const White<T>& xi, int in_run) { make<MARKED>(xi, in_run); }
  BM_FN_MEMBER void careful_step(const White<T>& xi, int in_run) { make<CAREFUL>(xi, in_run); }
  // Whether no thread of the warp has an event in the next few steps; such a step, which leaves the bits of `make`; and
  // what follows them. If the countdown changed before them, some compilers would keep it twice.
  BM_FN_MEMBER bool quiet() const { return !group_any(next_ < QUIET); }
  BM_FN_MEMBER void pass_quiet() { next_ = next_ - QUIET; }
  template <bool TRY> BM_FN_MEMBER void quiet_step(const White<T>& xi, int in_run) {
    const int i = run_ + in_run;
    Numbers<T> numbers;
    numbers_.draw(events_.launch, events_.first + (uint64_t)i, numbers);
    const T before = seen_of(z_, events_.p).at;
    advance(z_, local_, (real)1, xi, numbers, drift_, factors_, events_.p);
    if constexpr (TRY)
      range_.see(seen_of(z_, events_.p));
    else if (counters_.reached(seen_of(z_, events_.p)))
      counters_.look(0, before, seen_of(z_, events_.p), 1, clock(0, i) + 1);
  }
#else
  BM_FN_MEMBER void step(const White<T>& xi, int in_run) { make<CAREFUL>(xi, in_run); }
#endif
  template <Steps STEPS, bool TRY = false> BM_FN_MEMBER void make(const White<T>& xi, int in_run) {
    const int i = run_ + in_run;
    const Parameters& p = events_.p;
    const bool ends = next_ < 1;
    const T fraction = minimum(next_, (real)1);
    if constexpr (BM_SETS) events_.iteration = i;
    Numbers<T> numbers;
    numbers_.draw(events_.launch, events_.first + (uint64_t)i, numbers);
    Unseen<T> unseen = {seen_of(z_, p).at, fraction};
    const Motion<T> from = z_;
    const Local<T> local = local_;
    advance(z_, local_, fraction, xi, numbers, drift_, factors_, p);
    next_ = next_ - fraction;
    if (crossings().some_in_step(z_, local_))
      crossings().pass(
          from, local, z_, local_, fraction, xi, drift_, factors_, 0, counters_, [&](int l) { return clock(l, i); },
          unseen);
    if constexpr (TRY)
      range_.see(seen_of(z_, p));
    else if (counters_.reached(seen_of(z_, p)))
      counters_.look(0, unseen.from, seen_of(z_, p), unseen.steps, clock(0, i) + (double)fraction);
    if constexpr (BM_HAZARDS > 0) {
      // The half step before what happens now, and that of the next step, together where nothing happens.
      const real now = ends ? 0 : (real)0.5 * minimum(next_, (real)1);
      let_change((real)0.5 * fraction + now, clock(0, i) + (double)(fraction + now));
    }
    if (ends) {
      if constexpr (STEPS == CAREFUL)
        happen(z_, local_, fraction, 0, 0, next_);
      else
        events_.template happen_plainly<STEPS>(fraction, z_, local_, next_);
      if (BM_SETS) counters_.begin_block();  // whole periods may have changed
      crossings().follow(z_, local_, 0, 0, clock(0, i + 1), counters_);
      const Seen<T> after = seen_of(z_, p);
      if constexpr (TRY)
        range_.see(after);
      else if (counters_.reached(after))
        counters_.look(0, after.at, after, 0, clock(0, i + 1));
      if (BM_DRIFT_VARIES) drift_ = load_drift(events_.s, p);
      factors_ = load_factors(events_.s, p);
      if constexpr (BM_HAZARDS > 0) {
        const real next = (real)0.5 * minimum(next_, (real)1);
        let_change(next, clock(0, i + 1) + (double)next);
      }
    }
  }
#else
  BM_FN_MEMBER void step(const White<T>& xi, int in_run) {
    const int i = run_ + in_run;
    if constexpr (BM_SETS) events_.iteration = i;
    [[maybe_unused]] const auto whole = next_ >= (real)1;
    Numbers<T> numbers;
    numbers_.draw(events_.launch, events_.first + (uint64_t)i, numbers);
    Motion<T> z;
    take(z, z_);
    Local<T> local = local_;
    advance(z, local, WholeStep(), xi, numbers, drift_, factors_, events_.p);
    T left = next_ - (real)1;
    if (__builtin_expect(any_negative(left), 0)) {
      BM_UNROLL for (int g = 0; g < PARTS; g++) {
        Part left_g = part(left, g);
        if (!any_negative(left_g)) continue;
        Motion<Part> z_g = part_of(z, g);
        Local<Part> local_g = part_of(local, g);
        shorten(g, left_g, z_g, local_g, part(xi, g), part_of(numbers, g), i);
        set_part_of(z, g, z_g);
        set_part_of(local, g, local_g);
        set_part(left, g, left_g);
      }
    }
    // Counters have seen the steps that were shortened.
    Unseen<T> unseen = {seen_of(z_, events_.p).at, select(whole, T((real)1), (real)0)};
    if (__builtin_expect(crossings().some_in_step(z, local), 0)) {
      for (int g = 0; g < PARTS; g++) {
        Motion<Part> z_g = part_of(z, g);
        Unseen<Part> unseen_g = part_of(unseen, g);
        crossings().pass(
            part_of(z_, g), part_of(local_, g), z_g, part_of(local, g), part(unseen.steps, g), part(xi, g),
            part(drift_, g), part(factors_, g), g, counters_, [&](int l) { return clock(l, i); }, unseen_g);
        set_part_of(z, g, z_g);
        set_part_of(unseen, g, unseen_g);
      }
    }
    if (__builtin_expect(counters_.reached(seen_of(z, events_.p)), 0))
      look_at_all(counters_, unseen.from, seen_of(z, events_.p), unseen.steps, [&](int l) { return clock(l, i + 1); });
    take(z_, z);
    local_ = local;
    next_ = left;
    if constexpr (BM_HAZARDS == 0) return;
    const T half = minimum(next_, (real)1) * (real)0.5;  // of the next step
    Slot<real> later;
    store(later, half);
    if (hazards_.pass(z_, half + select(whole, T((real)0.5), (real)0), phases_of(local_.outside),
                      [&](int l) { return clock(l, i + 1) + (double)later[l]; }) &&
        (counters_.begin_block(), counters_.reached(seen_of(z_, events_.p))))
      look_at_all(counters_, seen_of(z_, events_.p).at, seen_of(z_, events_.p), T((real)0),
                  [&](int l) { return clock(l, i + 1); });
  }
#endif

  BM_FN_MEMBER void begin_run(int number) {
    if (!BM_PLAIN_RUNS || (BM_QUIET_STEPS && TRIES)) events_.top_up();
    run_ = number * RUN;
  }

  // False when every trajectory of the group is done.
  BM_FN_MEMBER bool end_block() {
    Trajectories& s = events_.s;
    events_.end_block();
    hazards_.end_block(z_);
    const bool absorbed = end_absorbed(z_, s);
    settle(z_, s, events_.p);
    if (any_diverged(z_)) end_diverged(s, z_, clock(0, BLOCK)), events_.quiet = 0;
    if (absorbed) return false;
    if (events_.quiet > 0) return true;
    for (int l = 0; l < LANES; l++)
      if (s.stage[l] < DONE) return true;
    return false;
  }

 private:
  // Steps that trajectory l has gathered but not moved yet.
  BM_FN_MEMBER double gathered(int l) {
    return BM_COARSE ? (double)get_lane(part(gathered_.length, l / WIDTH), l % WIDTH) : 0;
  }
  // g++ copies a motion of many members by a call.
  BM_FN_MEMBER static void take(Motion<T>& to, const Motion<T>& from) {
    if constexpr (BM_CROSSINGS > 0)
      each_member(to, from, [](T& a, const T& b) { a = b; });
    else
      to = from;
  }
  BM_FN_MEMBER Crossings crossings() const { return {events_.s, events_.p, events_.launch}; }
  // Clock of trajectory l, in steps, before iteration i of the block.
  BM_FN_MEMBER double clock(int l, int i) { return events_.clock(l, (real)i); }

  // Handles what is due for lane i of part g, whose position is in z, and its phases in local.
  template <class X>
  BM_FN_MEMBER void happen(Motion<X>& z, const Local<X>& local, real fraction, int g, int i, real& next) {
    const int l = g * WIDTH + i;
    const uint8_t stage = events_.s.stage[l];
    Place place = place_of(z, i);
    set_phases(place, local, i);
    events_.happen(l, fraction, place, next);
    set_place(z, i, place);
    if (BM_SETS) counters_.begin_block();  // whole periods may have changed
    if (stage == TRANSIENT && events_.s.stage[l] != TRANSIENT) begin_sums(z, events_.s, events_.p, l, i);
  }

#if BM_COARSE
  template <class M> BM_FN_MEMBER void look_at_moved(const T& before, const M& moved, const T& fraction, int i) {
    Slot<real> from, length, took;
    SeenSlots to(seen_of(z_, events_.p));
    store(from, before);
    store(length, gathered_.length);
    store(took, fraction);
    for (int g = 0; g < PARTS; g++)
      each_lane(part(moved, g), [&](int lane) {
        const int l = g * WIDTH + lane;
        counters_.look(l, from[l], to[l], length[l], clock(l, i) + (double)took[l]);
      });
  }
  // Handles what is due for the trajectories whose iteration ends early.
  template <class M> BM_FN_MEMBER void let_happen(const M& ends, const T& fraction, int iteration) {
    for (int g = 0; g < PARTS; g++) {
      if (!any(part(ends, g))) continue;
      Motion<Part> z = part_of(z_, g);
      const Local<Part> local = part_of(local_, g);
      Part next = part(next_, g);
      each_lane(part(ends, g), [&](int i) {
        const int l = g * WIDTH + i;
        const real there = get_lane(seen_of(z, events_.p).at, i);
        real after;
        happen(z, local, get_lane(part(fraction, g), i), g, i, after);
        counters_.look(l, there, get_lane(seen_of(z, events_.p), i), 0, clock(l, iteration + 1));
        set_lane(next, i, after);
      });
      set_part_of(z_, g, z);
      set_part(next_, g, next);
    }
    drift_ = load_drift(events_.s, events_.p);
    factors_ = load_factors(events_.s, events_.p);
  }
#elif BM_OWN_STEPS
  // Events by their rates at the present place, for a time of this many steps that ends at `end`.
  BM_FN_MEMBER void let_change(real steps, double end) {
    if (!hazards_.pass(z_, steps, phases_of(local_.outside), [&](int) { return end; })) return;
    counters_.begin_block();
    const Seen<T> after = seen_of(z_, events_.p);
    if (counters_.reached(after)) counters_.look(0, after.at, after, 0, end);
  }
#else
  // Repeats the iteration of part g for the trajectories in which something happens before its end: those with left <
  // 0. z, local: results for the others, whose bits must not depend on their neighbours.
  BM_FN_MEMBER void shorten(int g, Part& left, Motion<Part>& z, Local<Part>& local, const White<Part>& xi,
                            const Numbers<Part>& numbers, int iteration) {
    const auto ends = left < (real)0;
    const Part fraction = select(ends, part(next_, g), (real)1);
    Motion<Part> short_z = part_of(z_, g);
    Local<Part> short_local = part_of(local_, g);
    advance(short_z, short_local, fraction, xi, numbers, part(drift_, g), part(factors_, g), events_.p);
    Unseen<Part> unseen = {part(seen_of(z_, events_.p).at, g), fraction};
    crossings().pass(
        part_of(z_, g), part_of(local_, g), short_z, short_local, select(ends, fraction, (real)0), xi, part(drift_, g),
        part(factors_, g), g, counters_, [&](int l) { return clock(l, iteration); }, unseen);
    const auto replace = [&](Part& whole, const Part& shortened) { whole = select(ends, shortened, whole); };
    each_member(z, short_z, replace);
    each_member(local, short_local, replace);
    each_lane(ends, [&](int i) {
      const int l = g * WIDTH + i;
      real next;
      const real length = get_lane(fraction, i);
      const Seen<real> there = get_lane(seen_of(z, events_.p), i);
      counters_.look(l, get_lane(unseen.from, i), there, get_lane(unseen.steps, i),
                     clock(l, iteration) + (double)length);
      if constexpr (BM_HAZARDS > 0) {
        Place place = place_of(z, i);
        set_phases(place, local, i);
        const double end = clock(l, iteration) + (double)length;
        hazards_.pass_one(z, g, i, place, length * (real)0.5, [=](int) { return end; });
      }
      happen(z, local, length, g, i, next);
      crossings().follow(z, local, g, i, clock(l, iteration + 1), counters_);
      counters_.look(l, there.at, get_lane(seen_of(z, events_.p), i), 0, clock(l, iteration + 1));
      set_lane(left, i, next);
      if constexpr (BM_DRIFT_VARIES) set_drift(drift_, g, i, events_.s, events_.p);
      set_factors(factors_, g, i, events_.s, events_.p);
    });
  }
#endif

  Events events_;
  Counters counters_;
  Hazards hazards_;
  int run_ = 0;  // steps of the block before this run of steps
  Motion<T> z_;
  T next_;
  Drift drift_;
  Factors<T> factors_;
  Local<T> local_;
  Gathered<T> gathered_;  // of coarse runs
  StepNumbers numbers_;
  Range range_;
};

}  // namespace bmsim_kernel
