// Events at their exact times. Every trajectory has its own clock: an iteration lasts one step, or ends at the event
// that falls into it, and the next one begins there. One countdown, `next`, covers the events of all noises and the two
// ends of the measured window, so that a step pays one subtraction and one test however many there are.
#pragma once
#if BM_EVENT_NOISES

constexpr real LONGEST_WAIT = 65536;   // steps: subtracting one from the countdown stays exact
constexpr double SIMULTANEOUS = 1e-4;  // steps: the window begins or ends with an event this close to its end

// Steps on the clock of trajectory l to the beginning or the end of its window.
BM_FN double to_boundary(Trajectories& s, const Parameters& p, int l, double clock) {
  return (s.stage[l] == TRANSIENT ? p.transient_steps : p.total_steps) - clock;
}

// Shortens the countdown to `left` if that is less.
BM_FN void cut(Trajectories& s, int l, double left, real& next) {
  if (left >= (double)next) return;
  s.waited[l] -= next - (real)left;
  next = (real)left;
}

// Begins the window of trajectory l, or ends it and returns true, if it is time. Rare: kept out of the loop's code.
BM_RARE bool pass_boundary(Trajectories& s, const Parameters& p, int l, double clock, real u, real& next) {
  if (s.stage[l] == TRANSIENT && p.transient_steps - clock < SIMULTANEOUS) {
    s.window_start[l] = (double)u + s.periods[l];
    s.stage[l] = MEASURED;
  }
  const double left = to_boundary(s, p, l, clock);
  if (s.stage[l] == MEASURED && left < SIMULTANEOUS) {
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
  Slot<uint8_t> armed;  // whether the window of a trajectory begins or ends in this block

  BM_FN_MEMBER Events(Trajectories& trajectories, const Parameters& parameters, const Launch& now, Pools& drawn)
      : s(trajectories), p(parameters), launch(now), pools(drawn) {}

  BM_FN_MEMBER real exponential(int noise, uint32_t component, int l) {
    return pools.next(noise, launch.seed, stream_events(component), launch.trajectory, l, s.used[noise][l]);
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

  // Draws the first waiting times of trajectory l.
  BM_FN_MEMBER void start(int l) {
    each_event_noise([&](auto noise, int n) {
      auto state = noise.load(s, l);
      s.due[n][l] = noise.waiting(state, p, exponential(n, noise.component, l)) * p.rate;
      if (BM_METHOD == BM_PAPER) s.due[n][l] = rint(s.due[n][l]);
    });
    s.next[l] = s.waited[l] = soonest(l);
  }

  // At the beginning of a block: counts down to the end of the window, too, if it lies in the block. Returns whether it
  // does, or is reached already.
  BM_FN_MEMBER bool arm(int l, double iteration) {
    armed[l] = 1;
    if (s.stage[l] == DONE) return true;
    const double left = to_boundary(s, p, l, iteration - s.lag[l]);
    armed[l] = left <= BLOCK;
    if (!armed[l]) return false;
    cut(s, l, left, s.next[l]);
    return true;
  }

  // Trajectory l ends an iteration early, at `fraction` of a step: lets happen what is due. Returns the jump of u and
  // sets the countdown to what happens next. u: where it is now.
  BM_FN_MEMBER real happen(int l, real fraction, double iteration, real u, real& next) {
    s.lag[l] += 1 - (double)fraction;
    if (armed[l] && s.stage[l] == DONE) return next = 0;  // stands still: every further iteration of it lasts no time
    const real waited = s.waited[l];
    real jump = 0;
    each_event_noise([&](auto noise, int n) {
      s.due[n][l] -= waited;
      if (s.due[n][l] > 0) return;
      auto state = noise.load(s, l);
      jump += noise.event(state, p, exponential(n, noise.component, l));
      s.due[n][l] = noise.waiting(state, p, exponential(n, noise.component, l)) * p.rate;
      noise.save(s, l, state);
    });
    next = s.waited[l] = soonest(l);
    if (armed[l] && pass_boundary(s, p, l, iteration - s.lag[l], u, next)) return next = 0;
    return jump * p.per_length;
  }

 private:
  BM_FN_MEMBER real soonest(int l) {
    real next = LONGEST_WAIT;
    BM_UNROLL for (int n = 0; n < BM_EVENT_NOISES; n++) next = minimum(next, s.due[n][l]);
    return next;
  }
};
#endif
