// Events at their exact times. Every trajectory has its own clock: an iteration lasts one step, or ends at the event
// that falls into it, and the next one begins there. One countdown, `next`, covers the events of all noises and the two
// ends of the measured window, so that a step pays one subtraction and one test however many there are.
#pragma once
#if BM_COUNTDOWNS

// Steps: subtracting one from the countdown, or the smallest part of one (adaptive_clock.h), stays exact.
constexpr real LONGEST_WAIT = BM_METHOD == BM_ADAPTIVE && SINGLE ? 256 : 65536;
constexpr double SIMULTANEOUS = 1e-4;  // steps: the window begins or ends with an event this close to its end

// Steps on the clock of trajectory l to the beginning or the end of its window.
BM_FN double to_window(Trajectories& s, const Parameters& p, int l, double clock) {
  return (s.stage[l] == TRANSIENT ? p.transient_steps : p.total_steps) - clock;
}

// Shortens the countdown to `left` if that is less. A clock may be past a boundary by its rounding: then it is there.
BM_FN void cut(Trajectories& s, int l, double left, real& next) {
  if (left >= (double)next) return;
  left = left > 0 ? left : 0;
  s.waited[l] -= next - (real)left;
  next = (real)left;
}

// Whether marks are counted down to as events are.
#define BM_COUNTED_MARKS (BM_MARKS && BM_METHOD != BM_PAPER && BM_METHOD != BM_EXACT)
#if BM_COUNTED_MARKS
// Counts down to the next mark of trajectory l. A far one is looked at again before it comes: so the countdown is right
// to 10^-4 of a step.
BM_FN void aim(Trajectories& s, const Launch& launch, int l, double clock) {
  const double left = next_mark(s, launch, l) - clock;
  s.due_mark[l] = (real)(left < 2048 ? left : left < 1e30 ? left - 1024 : 1e30);
}
// Records it at the marks where it is.
BM_FN void pass_marks(Trajectories& s, const Launch& launch, int l, double clock, real u, real v) {
  while (next_mark(s, launch, l) - clock < 2 * SIMULTANEOUS) record(s, launch, l, u, v);
  aim(s, launch, l, clock);
}
#endif

// Begins the window of trajectory l, or ends it and returns true, if it is time. Rare: kept out of the loop's code.
BM_RARE bool pass_boundary(Trajectories& s, const Parameters& p, const Launch& launch, int l, double clock, real u,
                           real v, real& next) {
  if (s.stage[l] == TRANSIENT && p.transient_steps - clock < SIMULTANEOUS) {
    s.window_start[l] = (double)u + s.periods[l];
    s.stage[l] = MEASURED;
  }
#if BM_COUNTED_MARKS
  pass_marks(s, launch, l, clock, u, v);
#endif
  (void)launch, (void)v;
  const double left = to_window(s, p, l, clock);
  if (s.stage[l] == MEASURED && p.total_steps - clock < SIMULTANEOUS) {
    s.stage[l] = DONE;
    return true;
  }
  if (left <= BLOCK) cut(s, l, left, next);
  return false;
}

struct Events {
  Trajectories& s;
  const Parameters& p;
  const Launch& launch;
  Pools& pools;
  Slot<int32_t> armed;  // whether the window of a trajectory begins or ends in this block

  BM_FN_MEMBER Events(Trajectories& trajectories, const Parameters& parameters, const Launch& now, Pools& drawn)
      : s(trajectories), p(parameters), launch(now), pools(drawn) {}

  // Two unit exponentials: an event takes one for its amplitude and one for the waiting time after it.
  BM_FN_MEMBER void draw(int noise, uint32_t component, int l, real& amplitude, real& wait) {
    pools.next(noise, launch.seed, stream_events(component), launch.trajectory, l, s.used[noise][l], amplitude, wait);
  }

  // Where exponentials are drawn for several trajectories together (kernels/cuda): before the first is taken, and now
  // and then between steps.
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

#if BM_OWN_STEPS
  real block_lag = 0;  // of this block: added up in single precision, so that an event does without double
  BM_FN_MEMBER void fall_behind(int, real steps) { block_lag += steps; }
  BM_FN_MEMBER double lag(int l) { return s.lag[l] + (double)block_lag; }
  BM_FN_MEMBER void end_block() {
    s.lag[0] += (double)block_lag;
    block_lag = 0;
  }

  // Most happenings are plain: an event of the one noise, or a mark, with no boundary near and exponentials at hand. They
  // are counted in advance, now and then between steps, so that one test tells.
  int32_t plain_left = 0;
  BM_FN_MEMBER void count_plain() {
    if (BM_EVENT_NOISES > 1) return;
    const bool cut_short = !BM_COUNTED_MARKS && s.due[0][0] != s.waited[0];
    plain_left = armed[0] || cut_short ? 0 : (int32_t)(pools.ready[0] - s.used[0][0]) / 2;
  }
  BM_FN_MEMBER bool plain() const { return BM_EVENT_NOISES == 1 && plain_left > 0; }
  // iteration, u, v: as for happen; read for marks only.
  BM_FN_MEMBER real happen_plainly(real fraction, uint64_t iteration, real u, real v, real& next) {
    fall_behind(0, 1 - fraction);
    real jump = 0;
#if BM_COUNTED_MARKS
    const real waited = s.waited[0];
    s.due_mark[0] -= waited;
    if (s.due_mark[0] <= 0) pass_marks(s, launch, 0, (double)iteration - lag(0), u, v);
#endif
    (void)iteration, (void)u, (void)v;
    each_event_noise([&](auto noise, int n) {
#if BM_COUNTED_MARKS
      s.due[n][0] -= waited;
      if (s.due[n][0] > 0) return;
#endif
      plain_left--;
      auto state = noise.load(s, 0);
      real amplitude, wait;
      pools.take(n, s.used[n][0], amplitude, wait);
      jump = noise.event(state, p, amplitude);
      s.due[n][0] = noise.waiting(state, p, wait) * p.rate;
      noise.save(s, 0, state);
      next = s.waited[0] = s.due[n][0];
    });
#if BM_COUNTED_MARKS
    next = s.waited[0] = soonest(0);
#else
    if (next > LONGEST_WAIT) {
      next = s.waited[0] = LONGEST_WAIT;
      plain_left = 0;
    }
#endif
    return jump * p.per_kick;
  }
#else
  BM_FN_MEMBER void count_plain() {}
  BM_FN_MEMBER void fall_behind(int l, real steps) { s.lag[l] += (double)steps; }
  BM_FN_MEMBER double lag(int l) { return s.lag[l]; }
  BM_FN_MEMBER void end_block() {}
#endif

  // Draws the first waiting times of trajectory l. Its first mark is counted down to from its first happening, at once.
  BM_FN_MEMBER void start(int l) {
    each_event_noise([&](auto noise, int n) {
      auto state = noise.load(s, l);
      real amplitude, wait;
      draw(n, noise.component, l, amplitude, wait);
      s.due[n][l] = noise.waiting(state, p, wait) * p.rate;
      if (BM_METHOD == BM_PAPER) s.due[n][l] = rint(s.due[n][l]);
    });
    s.next[l] = s.waited[l] = soonest(l);
  }

  // At the beginning of a block: counts down to the end of the window, too, if it lies in the block. Returns whether it
  // does, or is reached already.
  BM_FN_MEMBER bool arm(int l, double iteration) {
    armed[l] = 1;
    if (s.stage[l] >= DONE) return true;
    const double left = to_window(s, p, l, iteration - s.lag[l]);
    armed[l] = left <= BLOCK;
    if (!armed[l]) return false;
    cut(s, l, left, s.next[l]);
    return true;
  }

  // Trajectory l ends an iteration early, at `fraction` of a step: lets happen what is due. Returns the jump of u or v and
  // sets the countdown to what happens next. u, v: where it is now.
  BM_FN_MEMBER real happen(int l, real fraction, double iteration, real u, real v, real& next) {
    fall_behind(l, 1 - fraction);
    if (armed[l] && s.stage[l] >= DONE) return next = 0;  // stands still: every further iteration of it lasts no time
    const real waited = s.waited[l];
#if BM_COUNTED_MARKS
    s.due_mark[l] -= waited;
    if (s.due_mark[l] <= 0) pass_marks(s, launch, l, iteration - lag(l), u, v);
#endif
    real jump = 0;
    each_event_noise([&](auto noise, int n) {
      s.due[n][l] -= waited;
      if (s.due[n][l] > 0) return;
      auto state = noise.load(s, l);
      real amplitude, wait;
      draw(n, noise.component, l, amplitude, wait);
      jump += noise.event(state, p, amplitude);
      s.due[n][l] = noise.waiting(state, p, wait) * p.rate;
      noise.save(s, l, state);
    });
    next = s.waited[l] = soonest(l);
    if (armed[l] && pass_boundary(s, p, launch, l, iteration - lag(l), u, v, next)) return next = 0;
    return jump * p.per_kick;
  }

 private:
  BM_FN_MEMBER real soonest(int l) {
    real next = LONGEST_WAIT;
    BM_UNROLL for (int n = 0; n < BM_EVENT_NOISES; n++) next = minimum(next, s.due[n][l]);
#if BM_COUNTED_MARKS
    next = minimum(next, s.due_mark[l]);
#endif
    return next;
  }
};
#endif
