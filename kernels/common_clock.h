// Stepper for models without events, and for the founding paper's algorithms: all trajectories of a point make the same
// steps, and time is the number of iterations. Outside influences are computed once if they are the same for all.
#pragma once
#include "coarse.h"
#include "crossings.h"
#include "ends.h"
#include "fields.h"
#include "hazards.h"
#include "increment_laws.h"
#include "outside_table.h"
#include "rounded_events.h"
#include "seen.h"
#include "sums.h"
#include "trial.h"

namespace bmsim_kernel {

class Stepper {
 public:
  Fields fields;

  BM_FN_MEMBER Stepper(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools)
      : fields(s),
        s_(s),
        p_(p),
        launch_(launch),
        events_(s, p, launch, pools),
        outside_(p, launch),
        counters_(s, p, launch),
        hazards_(s, p, launch) {
    z_ = load_motion(s);
    drift_ = load_drift(s, p);
    gathered_ = nothing_gathered(z_);
  }
  BM_FN_MEMBER void save() {
    fields.save(s_);
    if (ended_) return;
    save_motion(s_, z_);
    events_.save();
  }

  BM_FN_MEMBER void begin_block(uint64_t iteration) {
    first_ = iteration;
    outside_.begin_block(iteration);
    counters_.begin_block();
    hazards_.begin_block();
    if constexpr (Counters::RESUMES) Counters::resume(z_, fields.with(outside_.at(0)), p_);
    if (quiet_ > 0)
      quiet_--;
    else
      find_boundaries();
  }

  BM_FN_MEMBER void begin_run(int number) {
    events_.top_up();
    outside_.begin_run(number);
    run_ = number * RUN;
    to_boundary_ = boundary_ - run_;
  }
  // Whether there is no boundary in the run or at its end, nor has been the last one, after which events must not
  // count. This is the same for all threads of a warp, but the GPU's compiler only knows it from a vote.
  BM_FN_MEMBER bool plain() const { return !group_any(to_boundary_ <= RUN || (BM_CROSSINGS > 0 && ended_)); }
  BM_FN_MEMBER bool careful() const { return true; }
  BM_FN_MEMBER bool ended() const { return ended_; }
  // Makes a step of a run with a boundary. After the end of the run trajectories go on, but nothing of this is kept.
  BM_FN_MEMBER void careful_step(const White<T>& xi, int in_run) {
    make(xi, in_run);
    finish(in_run);
  }
  // A step of a run that may be made again, and what came of it (trial.h).
  BM_FN_MEMBER void try_step(const White<T>& xi, int in_run) { make<true, false>(xi, in_run); }
  BM_FN_MEMBER void begin_try() { range_.begin(); }
  BM_FN_MEMBER bool met() const { return counters_.met(range_.low, range_.high); }
  BM_FN_MEMBER void step(const White<T>& xi, int in_run) {
    make<false, false>(xi, in_run);
    if constexpr (BM_HAZARDS > 0) let_change(in_run, (real)1, 0.5);
  }

  // The motion of a step. MAY_END: the run may have ended before it.
  template <bool TRY = false, bool MAY_END = true> BM_FN_MEMBER void make(const White<T>& xi, int in_run) {
    const int i = run_ + in_run;
    Unseen<T> unseen = {seen_of(z_, p_).at, T((real)(BM_COARSE ? 2 : 1))};
    [[maybe_unused]] Motion<T> from;
    if constexpr (BM_CROSSINGS > 0) from = z_;
    if constexpr (BM_METHOD == BM_PAPER)
      step_as_paper(z_, xi.of[0], in_run);
    else if constexpr (BM_COARSE)
      gather_step(xi, in_run);
    else
      make_step(z_, WholeStep(), xi, drawn_at(i), drift_, Factors<T>(), fields.with(outside_.at(in_run), MIDDLE),
                fields.with(outside_.at(in_run + LAST), MIDDLE + LAST), p_);
    if (BM_COARSE && i % 2 == 0) return;
    if constexpr (BM_CROSSINGS > 0) {
      jumps_.begin_step((double)(first_ + (uint64_t)i));
      if constexpr (BM_MULTIPLIED) white_ = xi;
      if (!(MAY_END && ended_) && crossings().some_in_step(z_, local_of(fields.with(outside_.at(in_run + LAST), 1))))
        pass_zeros(from, xi, i, unseen);
    }
    if constexpr (TRY)
      range_.see(seen_of(z_, p_));
    else if (counters_.reached(seen_of(z_, p_)))
      look_at_all(counters_, unseen.from, seen_of(z_, p_), unseen.steps,
                  [&](int) { return (double)(first_ + (uint64_t)i + 1); });
  }
  // Events after it, and a boundary.
  BM_FN_MEMBER void finish(int in_run) {
    const bool boundary = in_run + 1 == to_boundary_;
    if constexpr (BM_HAZARDS == 0) {
      if (boundary) pass_boundary(run_ + in_run + 1);
      return;
    }
    // A boundary is in the middle of the step of the events. The middle of the window, which must change no path, comes
    // after them.
    const bool divides = boundary && !is_middle_only(run_ + in_run + 1);
    for (int half = 0; half < (divides ? 2 : 1); half++) {
      let_change(in_run, divides ? (real)0.5 : (real)1, half == 1 || !divides ? 0.5 : 0);
      if (boundary && half == 0) pass_boundary(run_ + in_run + 1);
    }
  }
#if BM_FIELDS
  // What the fields are averages of, at the present places; and how events have changed it in this step.
  BM_FN_MEMBER void field_values_now(T (&values)[AVERAGED]) const {
    T now[BM_FIELDS];
    field_values(z_.u, z_.v, p_, now);
    BM_UNROLL for (int k = 0; k < BM_FIELDS; k++) values[k] = now[k];
    jumps_.put(values);
  }
  // Counters at both ends of a step know the fields there, which are not those of the integrator.
  BM_FN_MEMBER void count_before(int in_run) {
    const auto outside = fields.with(outside_.at(in_run));
    Counters::before_step(z_, WholeStep(), outside, outside, p_);
  }
  BM_FN_MEMBER void count_after(int in_run) {
    const auto outside = fields.with(outside_.at(in_run + LAST));
    if (jumps_.some()) return Counters::after_step(z_, jumps_.last(), outside, p_);
    Counters::after_step(z_, WholeStep(), outside, p_);
  }
  // At t = 0: on which sides of the zeros the trajectories are.
  BM_FN_MEMBER void take_sides() {
    outside_.begin_block(0);
    crossings().take_sides(z_, local_of(fields.with(outside_.at(0))));
  }
  // After a step: lets a jump of the fields within it act.
  BM_RARE_MEMBER void jump(int in_run, const Jump& jump) {
    const Local<T> now = local_of(fields.with(outside_.at(in_run + 1)));
    const Local<T> before = local_of(fields.without(jump.of, outside_.at(in_run + 1)));
    for (int g = 0; g < PARTS; g++) {
      Motion<Part> z = part_of(z_, g);
      White<Part> white{};
      if constexpr (BM_MULTIPLIED) white = part(white_, g);
      crossings().push(z, part_of(now, g), part_of(before, g), jump.rest, white, part(drift_, g));
      crossings().take_sides(z, part_of(now, g), part(jumps_.last(), g) >= (real)1);
      set_part_of(z_, g, z);
    }
    count_after(in_run);
    // The mean of both ends has half of the jump in the last part of the step; what it has not, or too much.
    const T more = jump.rest - jumps_.last() * (real)0.5;
    const auto count = [&](const Outside<T>& outside, const T& length) {
      Counters::before_step(z_, length, outside, outside, p_);
      Counters::after_step(z_, length, outside, p_);
    };
    count(now.outside, more);
    count(before.outside, (real)0 - more);
  }
  // At t = 0: the events of half a step.
  BM_FN_MEMBER void first_events() {
    hazards_.begin_block();
    outside_.begin_block(0);
    hazards_.pass(z_, (real)0.5, phases_of(fields.with(outside_.at(0))), [](int) { return 0.0; });
    hazards_.end_block(z_);
  }
#endif

  BM_FN_MEMBER bool end_block() {
    if (!ended_) {
      arrive(RUN);
      settle_all(BLOCK);
    }
    return !ended_ && !absorbed_;
  }

 private:
  // Where influences from outside are asked for: at both ends of a step, or twice in its middle.
  static constexpr int LAST = BM_METHOD == BM_ABOBA ? 0 : 1;
  static constexpr real MIDDLE = BM_METHOD == BM_ABOBA ? (real)0.5 : 0;

  BM_FN_MEMBER Crossings crossings() { return {s_, p_, launch_, &jumps_, fields}; }
  // What acts from outside; phases only those that formulas read.
  template <class O, class X = T> BM_FN_MEMBER static Local<X> local_of(const O& outside) {
    Local<X> local{};
    each_member(local.outside, outside, [](T& to, const auto& from) { to = T(from); });
    if constexpr (BM_POTENTIAL_PHASES > 0)
      BM_UNROLL for (int k = 0; k < BM_POTENTIAL_PHASES; k++) local.phase[k] = local.outside.phase[k];
    return local;
  }
  // All phases, at the beginning of a step or `later` steps after it.
  template <class X> BM_FN_MEMBER Local<X> local_at(int i, int later) {
    Local<X> local = constant_local(p_);
    if constexpr (BM_PHASES > 0) {
      BM_UNROLL for (int k = 0; k < BM_PHASES; k++) {
        local.phase[k] = T(phase_at(p_, k, (double)(first_ + (uint64_t)(i + later))));
        if constexpr (BM_RANDOM_PHASES) {
          Slot<real> begins;
          draw_phases(launch_, k, begins);
          local.phase[k] = local.phase[k] + load(begins);
        }
      }
      fields.set_phases(local.phase, (real)later);
      local.outside = outside_at(local.phase, p_);
    }
    return local;
  }
  // Events at zeros in step i of the block.
  template <class X>
  BM_RARE_MEMBER void pass_zeros(const Motion<X>& from, const White<X>& xi, int i, Unseen<X>& unseen) {
    const Local<X> before = local_at<X>(i, 0), after = local_at<X>(i, 1);
    for (int g = 0; g < PARTS; g++) {
      Motion<Part> z = part_of(z_, g);
      Unseen<Part> unseen_g = part_of(unseen, g);
      crossings().pass(
          part_of(from, g), part_of(before, g), z, part_of(after, g), Part((real)1), part(xi, g), part(drift_, g),
          Factors<Part>(), g, counters_, [&](int) { return (double)(first_ + (uint64_t)i); }, unseen_g);
      set_part_of(z_, g, z);
      set_part_of(unseen, g, unseen_g);
    }
  }
  // Events by their rates after a step, for a time of this many steps; later: steps from now to its end.
  BM_FN_MEMBER void let_change(int in_run, real steps, double later) {
    const auto outside = fields.with(outside_.at(in_run + 1));
    const double end = (double)(first_ + (uint64_t)(run_ + in_run) + 1);
    if (!hazards_.pass(z_, steps, phases_of(outside), [&](int) { return end + later; })) return;
    counters_.begin_block();
    if (counters_.reached(seen_of(z_, p_)))
      look_at_all(counters_, seen_of(z_, p_).at, seen_of(z_, p_), T((real)0), [&](int) { return end; });
  }
  BM_FN_MEMBER Numbers<T> drawn_at(int i) {
    Numbers<T> numbers;
    numbers_.draw(launch_, first_ + (uint64_t)i, numbers);
    return numbers;
  }
  template <class X> BM_FN_MEMBER void step_as_paper(Motion<X>& z, const X& xi, int in_run) {
    const X jump = events_.count_down(drift_);
    Counters::before_step(z, WholeStep(), Outside<real>{}, Outside<real>{}, p_);
    const VariableParameters& x = p_.variable[0];
    z.u[0] =
        integrate_paper(z.u[0], xi, jump + (drift_.of[0] - x.force * x.h), with_force(x.force, outside_.at(in_run)),
                        with_force(x.force, outside_.at(in_run + 1)), p_);
  }
  // Every second step moves: windows and marks begin at whole moves.
  BM_FN_MEMBER void gather_step(const White<T>& xi, int in_run) {
    static_assert(RUN % 2 == 0);
    gather(gathered_, T((real)1), xi, drawn_at(run_ + in_run), p_);
    if (in_run % 2 == 0) return;
    make_step(z_, T((real)2), gathered_, gathered_, drift_, Factors<T>(), outside_.at(in_run - LAST),
              outside_.at(in_run + LAST), p_);
    gathered_ = nothing_gathered(z_);
  }
  // After iteration in_run of the run.
  BM_FN_MEMBER void arrive([[maybe_unused]] int in_run) {
    if constexpr (BM_FALLS > 0) Counters::arrive(z_, outside_.at(in_run - 1), outside_.at(in_run));
  }
  BM_FN_MEMBER void settle_all(int steps) {
    hazards_.end_block(z_);
    absorbed_ = end_absorbed(z_, s_);
    settle(z_, s_, p_);
    if (any_diverged(z_)) end_diverged(s_, z_, (double)(first_ + (uint64_t)steps));
  }

  // At the beginning of a block: finds its boundaries, or the number of blocks without any.
  BM_FN_MEMBER void find_boundaries() {
    const WindowSteps window = window_of(p_);
    const double begin = window.begin - (double)first_, end = window.end - (double)first_;
    double nearest = begin >= 0 ? begin : end;
    if (BM_HALVES && window.middle >= (double)first_ && window.middle - (double)first_ < nearest)
      nearest = window.middle - (double)first_;
    to_window_ = steps_to(window.begin);
    to_end_ = steps_to(window.end);
    if (to_window_ == 0) begin_window();
    if (BM_HALVES && to_middle() == 0) pass_middle();
    if constexpr (BM_MARKS) {
      find_mark();
      if (to_mark_ == 0) pass_mark(0);
      const double mark = next_mark(s_, launch_, 0) - (double)first_;
      if (mark < nearest) nearest = mark;
    }
    next_boundary(0);
    if (nearest > BLOCK) quiet_ = (uint32_t)(nearest < 1e9 ? (nearest - 1) * (1.0 / BLOCK) - 1 : 1e6);
  }

  // Handles the boundary at this step: begins the window, records a mark, ends the run.
  BM_FN_MEMBER void pass_boundary(int steps) {
    arrive(steps - run_);
    if (steps == to_window_ && to_window_ < BLOCK) begin_window();
    if (BM_HALVES && steps < BLOCK && steps == to_middle()) pass_middle();
    if (BM_MARKS) pass_mark(steps);
    next_boundary(steps);
    if (steps == to_end_) end(steps);
    to_boundary_ = boundary_ - run_;
  }
  BM_FN_MEMBER void end(int steps) {
    settle_all(steps);
    save_motion(s_, z_);
    for (int l = 0; l < LANES; l++)
      if (s_.stage[l] != DIVERGED) s_.stage[l] = DONE;
    counters_.begin_block();
    ended_ = true;
    boundary_ = BLOCK + 1;
  }
  BM_FN_MEMBER void next_boundary(int steps) {
    boundary_ = to_end_;
    if (to_window_ > steps && to_window_ < boundary_) boundary_ = to_window_;
    if constexpr (BM_HALVES) {
      const int middle = to_middle();
      if (middle > steps && middle < boundary_) boundary_ = middle;
    }
    if (BM_MARKS && to_mark_ > steps && to_mark_ < boundary_) boundary_ = to_mark_;
  }

  BM_FN_MEMBER void find_mark() { to_mark_ = steps_to(next_mark(s_, launch_, 0)); }
  // Records the mark at this step. (If this were a loop over several marks, a GPU's compiler would assume a divergent
  // warp.)
  BM_FN_MEMBER void pass_mark(int steps) {
    if (steps != to_mark_) return;
    save_motion(s_, z_);
    for (int l = 0; l < LANES; l++) record(s_, launch_, l, place_of(s_, l));
    find_mark();
  }

  // Steps of this block before a boundary; BLOCK + 1 if the boundary is in another block, or has been passed.
  BM_FN_MEMBER int steps_to(double boundary) {
    const double left = boundary - (double)first_;
    return left >= 0 && left <= BLOCK ? (int)left : BLOCK + 1;
  }

  // The middle of the window is not kept at hand: it is asked for at boundaries only.
  BM_FN_MEMBER int to_middle() { return steps_to(window_of(p_).middle); }
  BM_FN_MEMBER bool is_middle_only(int steps) {
    return BM_HALVES && steps == to_middle() && steps != to_window_ && steps != to_end_ &&
           !(BM_MARKS && steps == to_mark_);
  }
  BM_FN_MEMBER void pass_middle() {
    for (int k = 0; k < VARIABLES; k++) {
      store(s_.position[k], z_.u[k]);
      for (int l = 0; l < LANES; l++) keep_middle(s_, l, k, (double)s_.position[k][l] + s_.periods[k][l]);
    }
    for (int l = 0; l < LANES; l++) {
      keep_middle_time(s_, l, window_of(p_).middle);
      Counters::pass_middle(part_of(z_, l / WIDTH), s_, l, l % WIDTH);
    }
  }

  BM_FN_MEMBER void begin_window() {
    for (int k = 0; k < VARIABLES; k++) {
      store(s_.position[k], z_.u[k]);
      for (int l = 0; l < LANES; l++)
        if (s_.stage[l] != DIVERGED) s_.window_start[k][l] = (double)s_.position[k][l] + s_.periods[k][l];
    }
    for (int g = 0; g < PARTS; g++) {
      Motion<Part> z = part_of(z_, g);
      for (int i = 0; i < WIDTH; i++) begin_sums(z, s_, p_, g * WIDTH + i, i);
      set_part_of(z_, g, z);
    }
  }

  Trajectories& s_;
  const Parameters& p_;
  const Launch& launch_;
  RoundedEvents events_;
  Motion<T> z_;
  Gathered<T> gathered_;  // of coarse runs
  Drift drift_;
  OutsideTable outside_;
  Counters counters_;
  Hazards hazards_;
  Jumps jumps_;
  White<T> white_;  // of the step, where jumps of fields change amplitudes that multiply it
  StepNumbers numbers_;
  Range range_;
  uint64_t first_ = 0;                     // iterations before this block
  uint32_t quiet_ = 0;                     // coming blocks without boundaries
  bool ended_ = false, absorbed_ = false;  // at the end of the run; at walls, with all others of the group
  int run_ = 0, to_boundary_ = 0;  // steps of the block before this run of steps; from there to the next boundary
  int to_window_ = 0, to_end_ = 0, boundary_ = 0;  // steps from the beginning of the block: window, end, next
  int to_mark_ = 0;
};

}  // namespace bmsim_kernel
