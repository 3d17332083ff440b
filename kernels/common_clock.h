// Stepping models without events, and the founding paper's algorithms: all trajectories of a point make the same steps,
// time is the number of iterations, and a drive is computed once for all.
#pragma once
#if !BM_EVENT_NOISES || BM_METHOD == BM_PAPER

class Stepper {
 public:
  BM_FN_MEMBER Stepper(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools)
      : s_(s),
        p_(p)
#if BM_EVENT_NOISES
        ,
        events_(s, p, launch, pools)
#endif
#if BM_DRIVES
        ,
        drives_(p)
#endif
  {
    (void)launch, (void)pools;
    u_ = load(s.position);
    drift_ = load_drift(s, p);
#if BM_EVENT_NOISES
    for (int n = 0; n < BM_EVENT_NOISES; n++) countdown_[n] = load(s.due[n]);
    events_.resume();
#endif
  }
  BM_FN_MEMBER void prepare() {
#if BM_EVENT_NOISES
    events_.top_up();
#endif
  }
  BM_FN_MEMBER void save() {
    store(s_.position, u_);
#if BM_EVENT_NOISES
    for (int n = 0; n < BM_EVENT_NOISES; n++) store(s_.due[n], countdown_[n]);
#endif
  }

  BM_FN_MEMBER void begin_block(uint64_t iteration) {
#if BM_DRIVES
    drives_.begin_block(iteration);
#endif
    to_window_ = steps_to(p_.transient_steps, iteration);
    to_end_ = steps_to(p_.total_steps, iteration);
    if (to_window_ == 0) begin_window();
  }

  // Makes step number i of the block. False after the last of the run: the trajectory stands where the window ends.
  BM_FN_MEMBER bool step(T xi, int i) {
#if BM_DRIVES
    const real drive = drives_.at(i), drive_after = drives_.at(i + 1);
#elif BM_METHOD == BM_PAPER
    const real drive = 0, drive_after = 0;
#endif
#if BM_METHOD == BM_PAPER
    const T jump = count_down();
    u_ = integrate_paper(u_, xi, jump + (drift_ - p_.force * p_.h), drive + p_.force, drive_after + p_.force, p_);
#elif BM_DRIVES
    const T start = u_ + (xi + drift_);
    u_ = integrate(u_, start + drive * p_.h, start + (drive + drive_after) * (p_.h * (real)0.5), p_.h, p_);
#else
    const T start = u_ + (xi + drift_);
    u_ = integrate(u_, start, start, p_.h, p_);
#endif
    if (i + 1 == to_window_ && to_window_ < BLOCK) begin_window();
    return i + 1 != to_end_;
  }

  BM_FN_MEMBER bool end_block() {
    fold(u_, s_);
    if (to_end_ > BLOCK) return true;
    for (int l = 0; l < LANES; l++) s_.stage[l] = DONE;
    return false;
  }

 private:
  // Steps of this block before a boundary; one more than it has if the boundary is not in it, or has been passed.
  BM_FN_MEMBER int steps_to(double boundary, uint64_t iteration) {
    const double left = boundary - (double)iteration;
    return left >= 0 && left <= BLOCK ? (int)left : BLOCK + 1;
  }

  BM_FN_MEMBER void begin_window() {
    store(s_.position, u_);
    for (int l = 0; l < LANES; l++) s_.window_start[l] = (double)s_.position[l] + s_.periods[l];
  }

#if BM_METHOD == BM_PAPER
  // Algorithms 3 and 4: waiting times rounded to whole steps and counted down; the event comes a step after zero is
  // reached.
  BM_FN_MEMBER T count_down() {
    T jump = T((real)0);
#if BM_EVENT_NOISES
    each_event_noise([&](auto noise, int n) {
      const auto fires = countdown_[n] <= (real)0;
      countdown_[n] = countdown_[n] - (real)1;
      if (!any(fires)) return;
      for (int g = 0; g < PARTS; g++)
        each_lane(part(fires, g), [&](int i) {
          const int l = g * WIDTH + i;
          auto state = noise.load(s_, l);
          Part x = part(jump, g), left = part(countdown_[n], g);
          real amplitude, wait;
          events_.draw(n, noise.component, l, amplitude, wait);
          set_lane(x, i, get_lane(x, i) + noise.event(state, p_, amplitude) * p_.per_length);
          set_lane(left, i, rint(noise.waiting(state, p_, wait) * p_.rate));
          set_part(jump, g, x);
          set_part(countdown_[n], g, left);
          noise.save(s_, l, state);
        });
      drift_ = load_drift(s_, p_);
    });
#endif
    return jump;
  }
#endif

  Trajectories& s_;
  const Parameters& p_;
#if BM_EVENT_NOISES
  Events events_;
  T countdown_[BM_EVENT_NOISES];
#endif
  T u_;
  Drift drift_;
#if BM_DRIVES
  Drives drives_;
#endif
  int to_window_ = 0, to_end_ = 0;
};
#endif
