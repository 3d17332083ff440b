// Events at their exact times. Every trajectory has its own clock: an iteration lasts one step, or ends at the event
// that falls into it, and the next one begins there. One countdown, `next`, covers the events of all noises and the two
// ends of the measured window, so that a step pays one subtraction and one test however many there are.
#pragma once
#if BM_EVENT_NOISES

constexpr real LONGEST_WAIT = 65536;   // steps: subtracting one from the countdown stays exact
constexpr double SIMULTANEOUS = 1e-4;  // steps: the window begins or ends with an event this close to its end

// Steps on the clock of trajectory l to the beginning or the end of its window, or to the next mark.
BM_FN double to_boundary(Trajectories& s, const Parameters& p, const Launch& launch, int l, double clock) {
  const double left = (s.stage[l] == TRANSIENT ? p.transient_steps : p.total_steps) - clock;
#if BM_MARKS
  const double mark = next_mark(s, launch, l) - clock;
  return mark < left ? mark : left;
#else
  (void)launch;
  return left;
#endif
}

// Shortens the countdown to `left` if that is less. A clock may be past a boundary by its rounding: then it is there.
BM_FN void cut(Trajectories& s, int l, double left, real& next) {
  if (left >= (double)next) return;
  left = left > 0 ? left : 0;
  s.waited[l] -= next - (real)left;
  next = (real)left;
}

// Begins the window of trajectory l, or ends it and returns true, or records it, if it is time. Rare: kept out of the
// loop's code.
BM_RARE bool pass_boundary(Trajectories& s, const Parameters& p, const Launch& launch, int l, double clock, real u,
                           real v, real& next) {
  if (s.stage[l] == TRANSIENT && p.transient_steps - clock < SIMULTANEOUS) {
    s.window_start[l] = (double)u + s.periods[l];
    s.stage[l] = MEASURED;
  }
#if BM_MARKS
  while (next_mark(s, launch, l) - clock < SIMULTANEOUS) record(s, launch, l, u, v);
#endif
  (void)v;
  const double left = to_boundary(s, p, launch, l, clock);
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

  // Most happenings are plain: one noise, whose event it is, with no boundary near and exponentials at hand. They are
  // counted in advance, now and then between steps, so that one test tells.
  int32_t plain_left = 0;
  BM_FN_MEMBER void count_plain() {
    if (BM_EVENT_NOISES > 1) return;
    plain_left = armed[0] || s.due[0][0] != s.waited[0] ? 0 : (int32_t)(pools.ready[0] - s.used[0][0]) / 2;
  }
  BM_FN_MEMBER bool plain() const { return BM_EVENT_NOISES == 1 && plain_left > 0; }
  BM_FN_MEMBER real happen_plainly(real fraction, real& next) {
    plain_left--;
    fall_behind(0, 1 - fraction);
    real jump = 0;
    each_event_noise([&](auto noise, int n) {
      auto state = noise.load(s, 0);
      real amplitude, wait;
      pools.take(n, s.used[n][0], amplitude, wait);
      jump = noise.event(state, p, amplitude);
      s.due[n][0] = noise.waiting(state, p, wait) * p.rate;
      noise.save(s, 0, state);
      next = s.waited[0] = s.due[n][0];
    });
    if (next > LONGEST_WAIT) {
      next = s.waited[0] = LONGEST_WAIT;
      plain_left = 0;
    }
    return jump * p.per_kick;
  }
#else
  BM_FN_MEMBER void count_plain() {}
  BM_FN_MEMBER void fall_behind(int l, real steps) { s.lag[l] += (double)steps; }
  BM_FN_MEMBER double lag(int l) { return s.lag[l]; }
  BM_FN_MEMBER void end_block() {}
#endif

  // Draws the first waiting times of trajectory l.
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
    const double left = to_boundary(s, p, launch, l, iteration - s.lag[l]);
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
    return next;
  }
};
#endif
