// Events at their exact times. Every trajectory has its own clock: an iteration lasts one step, or ends at the event
// that falls into it, and the next one begins there. One countdown, `next`, covers the events of all noises and the two
// ends of the measured window, so that a step pays one subtraction and one test however many there are.
#pragma once
#if BM_EVENT_NOISES

constexpr real LONGEST_WAIT = 65536;   // steps: subtracting one from the countdown stays exact
constexpr double SIMULTANEOUS = 1e-4;  // steps: the window begins or ends with an event this close to its end

struct Events {
  Trajectories& s;
  const Parameters& p;
  const Launch& launch;
  Pool* pools;

  BM_FN_MEMBER real exponential(int noise, uint32_t component, int l) {
    return pools[noise].next(launch.seed, stream_events(component), launch.trajectory, l, s.used[noise][l]);
  }

  // Draws the first waiting times of trajectory l.
  BM_FN_MEMBER void start(int l) {
    each_event_noise([&](auto noise, int n) {
      auto state = noise.load(s, l);
      s.due[n][l] = noise.waiting(state, p, exponential(n, noise.component, l)) * p.rate;
      if (BM_METHOD == BM_PAPER) s.due[n][l] = rint(s.due[n][l]);
    });
    s.next[l] = wait(l, 0);
  }

  // Trajectory l ends an iteration early, when its clock shows `clock` steps. Returns the jump of u; sets `next`.
  BM_FN_MEMBER real happen(int l, double clock, double position, real& next) {
    if (s.stage[l] == DONE) return next = 0;  // stands still: every further iteration of it lasts no time
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
    if (s.stage[l] == TRANSIENT && p.transient_steps - clock < SIMULTANEOUS) {
      s.window_start[l] = position + s.periods[l];
      s.stage[l] = MEASURED;
    }
    if (p.total_steps - clock < SIMULTANEOUS) {
      s.stage[l] = DONE;
      return next = 0;
    }
    next = wait(l, clock);
    return jump * p.per_length;
  }

 private:
  BM_FN_MEMBER real wait(int l, double clock) {
    real next = LONGEST_WAIT;
    for (int n = 0; n < BM_EVENT_NOISES; n++) next = minimum(next, s.due[n][l]);
    const double boundary = (s.stage[l] == TRANSIENT ? p.transient_steps : p.total_steps) - clock;
    if (boundary < (double)next) next = (real)boundary;
    return s.waited[l] = next;
  }
};
#endif
