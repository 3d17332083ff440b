// Events at their exact times. Every trajectory has its own clock: an iteration lasts one step, or ends at the event
// that falls into it, and the next iteration begins there. One countdown, `next`, covers the events of all noises, and
// in some blocks also marks and both ends of the window. A step therefore needs only one subtraction and one test,
// however many there are.
#pragma once
#include "event_numbers.h"
#include "increment_laws.h"
#include "local.h"

namespace bmsim_kernel {

#if BM_COUNTDOWNS

// Longest wait, in steps, from which subtracting 1, or the smallest step of method adaptive, is exact.
constexpr real LONGEST_WAIT = BM_METHOD == BM_ADAPTIVE && SINGLE ? 256 : 65536;
constexpr double SIMULTANEOUS = 1e-4;  // steps: the window begins or ends together with an event this close to its end
constexpr real FAR = (real)1e30, PASSED = (real)2e30;  // steps to: nothing in this block; a mark not yet recorded
BM_FN real soon(double steps) { return steps <= BLOCK ? maximum((real)steps, (real)0) : FAR; }

// Whether trajectories on clocks of their own stop at marks.
constexpr bool STOPS_AT_MARKS = BM_MARKS && BM_METHOD != BM_PAPER && BM_METHOD != BM_EXACT && BM_METHOD != BM_WALK;

// What steps of own_clocks.h provide for if every thread makes steps of its own: events; events and one mark;
// everything.
enum Steps { PLAIN, MARKED, CAREFUL };

// The next mark of every trajectory, if it may come in this block.
struct Marks {
  Slot<real> left;  // steps from the next event to it; FAR; or PASSED: it was reached and is still to be recorded
  Place kept;

  BM_FN_MEMBER bool here(int l) { return left[l] < 2 * (real)SIMULTANEOUS; }  // not after the window's end
  BM_FN_MEMBER void keep(const Place& at) {
    kept = at;
    left[0] = PASSED;
  }
  BM_FN_MEMBER void record_kept(Trajectories& s, const Launch& launch) {
    if (left[0] != PASSED) return;
    record(s, launch, 0, kept);
    left[0] = FAR;
  }
  // Records trajectory l at the mark it has reached.
  BM_FN_MEMBER void pass(Trajectories& s, const Launch& launch, int l, const Place& at) {
    const double mark = next_mark(s, launch, l);
    record(s, launch, l, at);
    left[l] += soon(next_mark(s, launch, l) - mark);
  }
};

struct Events {
  Trajectories& s;
  const Parameters& p;
  const Launch& launch;
  Pools& pools;
  Slot<real> boundary;        // steps to the beginning or the end of the window, as in Marks
  uint32_t quiet = 0;         // coming blocks in which no trajectory of the group can reach a boundary or a mark
  uint64_t first = 0;         // clock at the beginning of this block, in steps, of a trajectory without lag
  Slot<real> block_lag = {};  // lag of this block; summed in single precision, so that events need no double precision
  Marks marks;                // used if trajectories stop at them
  int iteration = 0;          // of this block, the present one; known if events of the script are counted down to

  BM_FN_MEMBER Events(Trajectories& trajectories, const Parameters& parameters, const Launch& now, Pools& drawn)
      : s(trajectories), p(parameters), launch(now), pools(drawn) {}

  // Draws two unit exponentials: one for the amplitude of an event, one for the waiting time after it.
  BM_FN_MEMBER void draw(int noise, uint32_t component, int l, real& amplitude, real& wait) {
    pools.next(noise, launch.seed, stream_events(component), launch.trajectory, l, s.used[noise][l], amplitude, wait);
  }

  // If exponentials are drawn for several trajectories together (kernels/cuda): called before the first is taken; now
  // and then between steps; and before every second step if every step takes some.
  BM_FN_MEMBER void resume() {
    each_event_noise([&](auto noise, int n) {
      pools.resume(n, launch.seed, stream_events(noise.component), launch.trajectory, s.used[n][0]);
    });
  }
  BM_FN_MEMBER void top_up() {
    each_event_noise([&](auto noise, int n) {
      pools.top_up(n, launch.seed, stream_events(noise.component), launch.trajectory, s.used[n][0]);
    });
  }
  BM_FN_MEMBER void supply() {
    each_event_noise([&](auto noise, int n) {
      pools.supply(n, launch.seed, stream_events(noise.component), launch.trajectory, s.used[n][0]);
    });
  }

  BM_FN_MEMBER void fall_behind(int l, real steps) { block_lag[l] += steps; }
  // Clock of trajectory l, in steps, after `made` iterations of this block.
  BM_FN_MEMBER double clock(int l, real made) {
    return (double)first + (double)made - (s.lag[l] + (double)block_lag[l]);
  }
  BM_FN_MEMBER void end_block() {
    if constexpr (STOPS_AT_MARKS) {
      if (BM_OWN_STEPS) marks.record_kept(s, launch);
      for (int l = 0; l < LANES; l++)
        if (marks.left[l] < FAR) quiet = 0;  // the mark may come in the next block
    }
    for (int l = 0; l < LANES; l++) {
      s.lag[l] += (double)block_lag[l];
      block_lag[l] = 0;
    }
  }

#if BM_OWN_STEPS
  // Crowded: a boundary or several marks may come in this block, or the trajectory is at its end. `longest`, the
  // longest wait that needs no care, is negative then, so that one comparison tests both.
  real longest = -1;
  BM_FN_MEMBER bool crowded() { return longest < 0; }

  // Most steps are plain: nothing happens but events of the one noise, for which exponentials are ready. Called before
  // ASKED steps: whether at least one thread of the warp may have others.
  BM_FN_MEMBER bool unusual(real next) {
    return group_any(careful() || (STOPS_AT_MARKS && next + marks.left[0] < ASKED + 1));
  }
  // For such steps: draws exponentials if some are missing; returns whether more may happen than events and the one
  // mark of a block.
  BM_FN_MEMBER bool careful_run() {
    if (BM_MARKED_RUNS && !group_any(careful())) return false;
    supply();
    return group_any(careful());
  }
  BM_FN_MEMBER bool careful() { return s.due[0][0] > longest || pools.ready[0] - s.used[0][0] < 2 * ASKED; }
  template <Steps STEPS>
  BM_FN_MEMBER void happen_plainly(real fraction, Motion<real>& z, const Local<real>& local, real& next) {
    Place place = place_of(z, 0);
    set_phases(place, local, 0);
    fall_behind(0, 1 - fraction);
    if constexpr (STOPS_AT_MARKS && STEPS == MARKED)
      if (at_mark()) {
        marks.keep(place);
        next = s.waited[0] = s.due[0][0] -= s.waited[0];  // at most LONGEST_WAIT
        return;
      }
    each_event_noise([&](auto noise, int n) {
      real amplitude, wait;
      pools.take(n, s.used[n][0], amplitude, wait);
      const Event event = let_act(noise, 0, amplitude, wait);
      real jump[VARIABLES];
      BM_UNROLL for (int i = 0; i < VARIABLES; i++) jump[i] = NOTHING;
      noise.add_jump(jump, event.jump, place, p);
      kick(place, jump);
      let_set(noise, n, 0, amplitude, place);
      keep_within_walls(place, p);
      s.due[n][0] = event.wait;
    });
    set_place(z, 0, place);
    next = s.waited[0] = minimum(s.due[0][0], LONGEST_WAIT);  // longer than a run
    if constexpr (STOPS_AT_MARKS) {
      next = s.waited[0] = minimum(next, marks.left[0]);
      marks.left[0] -= next;
    }
  }
#else
  real longest = -1;
  static constexpr bool crowded() { return true; }
#endif
  // Whether the next thing is the only mark of the block, in a block without boundary. It is recorded at the end of the
  // block, by all threads together.
  BM_FN_MEMBER bool at_mark() { return marks.left[0] == 0; }

  // An event of a noise: its jump in units of the noise, and the steps to the next one.
  struct Event {
    real jump, wait;
  };
  template <class N> BM_FN_MEMBER Event let_act(N noise, int l, real amplitude, real wait) {
    auto state = noise.load(s, l);
    Event event;
    event.jump = noise.event(state, p, amplitude);
    event.wait = noise.waiting(state, p, wait) * p.rate;
    noise.save(s, l, state);
    return event;
  }

  // An event of the script sets variables. e: a unit exponential number.
  template <class N>
  BM_FN_MEMBER void let_set([[maybe_unused]] N noise, [[maybe_unused]] int n, [[maybe_unused]] int l,
                            [[maybe_unused]] real e, [[maybe_unused]] Place& place) {
    if constexpr (N::SETS) {
      const Place before = place;
      noise.set(place, s, l, launch, p, s.used[n][l] / 2 - 2, e);
      Counters::event(s, launch, l, noise.number, before, place, clock(l, (real)(iteration + 1)), p);
    }
  }

  // Draws the first waiting times of trajectory l.
  BM_FN_MEMBER void start(int l) {
    each_event_noise([&](auto noise, int n) {
      auto state = noise.load(s, l);
      real amplitude, wait;
      draw(n, noise.component, l, amplitude, wait);
      s.due[n][l] = noise.waiting(state, p, wait) * p.rate;
      if (BM_METHOD == BM_PAPER) s.due[n][l] = rint(s.due[n][l]);
    });
    s.next[l] = s.waited[l] = soonest_event(l);
  }

  // At the beginning of a block: includes boundaries and marks in the countdowns if they may come in it. No clock
  // advances by more than BLOCK steps in a block. keep(l) keeps the place of trajectory l, for which this is the first
  // block that begins after the middle of the window: a step that ended there would be another path.
  template <class Keep> BM_FN_MEMBER void stop_in_block(Keep keep) {
    if (quiet > 0) {
      quiet--;
      return;
    }
    double nearest = 0;
    for (int l = 0; l < LANES; l++) {
      longest = -1;
      if (STOPS_AT_MARKS) marks.left[l] = FAR;
      const double steps = s.stage[l] < DONE ? look(l, keep) : 0;
      if (l == 0 || steps < nearest) nearest = steps;
    }
    // Blocks before the one with the nearest boundary or mark; two steps are subtracted for rounding.
    const real blocks = minimum((real)nearest, (real)1e6) * (real)(1.0 / BLOCK) - (real)(1 + 2.0 / BLOCK);
    quiet = (uint32_t)maximum(blocks, (real)0);
  }

  // Trajectory l, at this place, ends an iteration early, at `fraction` of a step: handles what is due, which may move
  // it, and sets the countdown to what comes next.
  BM_FN_MEMBER void happen(int l, real fraction, Place& place, real& next) {
    fall_behind(l, 1 - fraction);
    next = 0;
    if (s.stage[l] >= DONE) return;  // stands still: its further iterations last no time
    const real waited = s.waited[l];
    if constexpr (STOPS_AT_MARKS) {
      if (BM_OWN_STEPS && !crowded() && at_mark()) {
        marks.keep(place);
        BM_UNROLL for (int n = 0; n < BM_EVENT_NOISES; n++) s.due[n][0] -= waited;
        next = s.waited[0] = soonest_event(0);
        return;
      }
      if (crowded() && marks.here(l)) marks.pass(s, launch, l, place);
    }
    real jump[VARIABLES] = {};
    each_event_noise([&](auto noise, int n) {
      s.due[n][l] -= waited;
      // what comes after fixed intervals may come together with the end of the window
      if (s.due[n][l] > (decltype(noise)::SETS ? (real)SIMULTANEOUS : 0)) return;
      real amplitude, wait;
      draw(n, noise.component, l, amplitude, wait);
      const Event event = let_act(noise, l, amplitude, wait);
      noise.add_jump(jump, event.jump, place, p);
      let_set(noise, n, l, amplitude, place);
      s.due[n][l] = event.wait;
    });
    boundary[l] -= waited;
    if (boundary[l] < (real)SIMULTANEOUS && pass_boundary(l, place)) return;
    next = count_down(l);
    kick(place, jump);
    keep_within_walls(place, p);
  }

 private:
  BM_FN_MEMBER void kick(Place& place, const real (&jump)[VARIABLES]) {
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) if (has(BM_KICKED, i))
        bmsim_kernel::kick(place, i, jump[i] * p.variable[i].per_kick, p);
  }
  BM_FN_MEMBER real soonest_event(int l) {
    real next = LONGEST_WAIT;
    BM_UNROLL for (int n = 0; n < BM_EVENT_NOISES; n++) next = minimum(next, s.due[n][l]);
    return next;
  }
  // Sets all countdowns of trajectory l to what comes next. Returns the steps to that.
  BM_FN_MEMBER real count_down(int l) {
    real next = minimum(soonest_event(l), boundary[l]);
    if constexpr (STOPS_AT_MARKS) {
      next = minimum(next, marks.left[l]);
      marks.left[l] -= next;
    }
    return s.waited[l] = next;
  }

  // Finds the next boundary and mark of trajectory l. Returns the steps to the nearest boundary or mark, or to the
  // middle of the window, not counting a first mark in this block.
  template <class Keep> BM_FN_MEMBER double look(int l, Keep keep) {
    const double now = (double)first - s.lag[l];
    double later = to_window(s, p, l, now);
    boundary[l] = soon(later);
    bool stops = boundary[l] < FAR, several = stops;
    if constexpr (BM_HALVES) {
      if (s.stage[l] == MEASURED && !middle_is_kept(s, l)) {
        const double middle = window_of(p).middle - now;
        if (middle > 0)
          later = middle < later ? middle : later;
        else
          keep(l), keep_middle_time(s, l, now);
      }
    }
    if constexpr (STOPS_AT_MARKS) {
      const double* to_come = next_marks(s, launch, l);
      const double mark = load_global(to_come) - now, after = load_global(to_come + 1) - now;
      marks.left[l] = soon(mark);
      stops = stops || marks.left[l] < FAR;
      several = several || after <= BLOCK;
      const double nearest = marks.left[l] < FAR ? after : mark;
      if (nearest < later) later = nearest;
    }
    longest = several ? (real)-1 : LONGEST_WAIT;
    if (!stops) return later;
    const real passed = s.waited[l] - s.next[l];  // all countdowns are started anew
    BM_UNROLL for (int n = 0; n < BM_EVENT_NOISES; n++) s.due[n][l] -= passed;
    s.next[l] = count_down(l);
    return later;
  }

  // Begins the window of trajectory l, or ends it and returns true.
  BM_FN_MEMBER bool pass_boundary(int l, const Place& place) {
    const WindowSteps window = window_of(p);
    if (s.stage[l] == TRANSIENT) {
      BM_UNROLL for (int i = 0; i < VARIABLES; i++) s.window_start[i][l] = (double)place.u[i] + s.periods[i][l];
      s.stage[l] = MEASURED;
      boundary[l] = soon(window.end - window.begin);
    }
    if (boundary[l] < (real)SIMULTANEOUS) s.stage[l] = DONE;
    return s.stage[l] == DONE;
  }
};
#endif

}  // namespace bmsim_kernel
