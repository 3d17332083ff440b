// Method adaptive: every trajectory on its own clock, with steps as long as its position allows. The host has computed
// the allowed fraction of dt for all positions (compose/step_map.h). The step is therefore known before its increment
// is drawn, which keeps the method unbiased. Sources: H. Lamba, J. C. Mattingly, A. M. Stuart, IMA J. Numer. Anal. 27,
// 479 (2007); W. Fang, M. B. Giles, Ann. Appl. Probab. 30, 526 (2020).
#pragma once
#include "events.h"
#include "increment_laws.h"
#include "levels.h"
#include "outside_table.h"
#include "sums.h"

namespace bmsim_kernel {

// Largest step from u on, in units of dt: 2^-k. Defined for NaN, too.
BM_FN T largest_step(const T& u, const Parameters& p) {
  constexpr int CELLS = (int)decltype(StepMap::fraction)::count;
  const T place = BM_PERIODIC ? u - rint(u) + (real)0.5 : fma(u / (absolute(u) + p.steps.half), (real)0.5, (real)0.5);
  return gather(p.steps.fraction, minimum(maximum(place * (real)CELLS, (real)0), (real)(CELLS - 1)));
}

class Stepper {
 public:
  BM_FN_MEMBER Stepper(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools)
      : events_(s, p, launch, pools),
        counters_(s, p, launch),
        z_(load_motion(s)),
        next_(load(s.next)),
        drift_(load_drift(s, p)),
        factors_(load_factors(s, p)),
        local_(constant_local(p)) {
    events_.resume();
  }
  BM_FN_MEMBER void save() {
    save_motion(events_.s, z_);
    store(events_.s.next, next_);
  }

  BM_FN_MEMBER void begin_block(uint64_t iteration) {
    first_ = iteration;
    spent_ = T((real)0);
    store(events_.s.next, next_);
    events_.stop_in_block([](int) BM_FN_LAMBDA {});
    next_ = load(events_.s.next);
    counters_.begin_block();
    begin_local(local_, events_.launch, events_.p, [&](int l) { return -events_.s.lag[l]; });
    if constexpr (Counters::RESUMES) Counters::resume(z_, local_.outside, events_.p);
  }

  BM_FN_MEMBER void step(const White<T>& xi, int in_run) {
    const int i = run_ + in_run;
    const T length = maximum(minimum(largest_step(z_.u[0], events_.p), next_), (real)0);
    Numbers<T> numbers;
    numbers_.draw(events_.launch, first_ + (uint64_t)i, numbers);
    const T before = z_.u[0];
    advance(z_, local_, length, xi, numbers, drift_, factors_, events_.p);
    spent_ = spent_ + length;
    look(before, z_.u[0], length);
    const auto ends = next_ == length;
    next_ = next_ - length;
    if (__builtin_expect(any(ends), 0)) happen(ends);
  }

  BM_FN_MEMBER void begin_run(int number) {
    events_.top_up();
    run_ = number * RUN;
  }

  // False when every trajectory of the group is done.
  BM_FN_MEMBER bool end_block() {
    Trajectories& s = events_.s;
    events_.end_block();
    settle(z_, s, events_.p);
    for (int g = 0; g < PARTS; g++) add_part(s.lag, g, -part(spent_, g));
    if (any_diverged(z_)) end_diverged(s, z_, -s.lag[0]);
    for (int l = 0; l < LANES; l++)
      if (s.stage[l] < DONE) return true;
    return false;
  }

 private:
  static constexpr real STANDS = -1;  // the countdown of a trajectory at its end

  // Handles what is due, in the trajectories of the mask.
  template <class M> BM_FN_MEMBER void happen(const M& there) {
    const T before = z_.u[0];
    for (int g = 0; g < PARTS; g++) {
      if (!any(part(there, g))) continue;
      Motion<Part> z = part_of(z_, g);
      Part next = part(next_, g);
      each_lane(part(there, g), [&](int i) {
        const int l = g * WIDTH + i;
        const uint8_t stage = events_.s.stage[l];
        Place place = place_of(z, i);
        real left;
        events_.happen(l, 1, place, left);
        set_place(z, i, place);
        set_lane(next, i, events_.s.stage[l] < DONE ? left : STANDS);
        if (stage == TRANSIENT && events_.s.stage[l] != TRANSIENT) begin_sums(z, events_.s, events_.p, l, i);
        if constexpr (BM_DRIFT_VARIES) set_drift(drift_, g, i, events_.s, events_.p);
        set_factors(factors_, g, i, events_.s, events_.p);
      });
      set_part_of(z_, g, z);
      set_part(next_, g, next);
    }
    look(before, z_.u[0], T((real)0));
  }

  BM_FN_MEMBER void look(const T& before, const T& after, const T& length) {
    if constexpr (!Counters::LOOKS) return;
    const Seen<T> seen = seen_after(after, length, events_.p);
    if (!counters_.reached(seen)) return;
    Slot<real> from, took, spent;
    SeenSlots to(seen);
    store(from, before);
    store(took, length);
    store(spent, spent_);
    for (int l = 0; l < LANES; l++) counters_.look(l, from[l], to[l], took[l], (double)spent[l] - events_.s.lag[l]);
  }

  Events events_;
  Counters counters_;
  uint64_t first_ = 0;  // iterations before this block
  int run_ = 0;         // steps of the block before this run of steps
  Motion<T> z_;
  T next_, spent_;  // steps to the next event, boundary or mark; steps made in this block
  Drift drift_;
  Factors<T> factors_;
  Local<T> local_;
  StepNumbers numbers_;
};

}  // namespace bmsim_kernel
