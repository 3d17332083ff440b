// Stepping models without events, and the founding paper's algorithms: all trajectories of a point make the same steps,
// time is the number of iterations, and a drive is computed once for all.
#pragma once
#if !BM_EVENT_NOISES || BM_METHOD == BM_PAPER

// The drives at the beginning of each iteration of a block, and at the end of the last.
struct DriveTable {
  alignas(64) real value[BLOCK + WIDTH + 1];

  BM_FN_MEMBER void fill(const Parameters& p, uint64_t iteration) {
#if BM_DRIVES
    for (int first = 0; first <= BLOCK; first += WIDTH) {
      Part phase[BM_DRIVES];
      for (int d = 0; d < BM_DRIVES; d++)
        for (int i = 0; i < WIDTH; i++)
          set_lane(phase[d], i, turn(p.turns_per_step[d], (double)(iteration + (uint64_t)(first + i))));
      store_part(value + first, model_drive(phase, p));
    }
#else
    (void)p, (void)iteration;
#endif
  }
};

class Stepper {
 public:
  BM_FN_MEMBER Stepper(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools)
#if BM_EVENT_NOISES
      : s_(s),
        p_(p),
        events_(s, p, launch, pools)
#else
      : s_(s),
        p_(p)
#endif
  {
    (void)launch, (void)pools;
    u_ = load(s.position);
    drift_ = load_drift(s, p);
#if BM_EVENT_NOISES
    for (int n = 0; n < BM_EVENT_NOISES; n++) countdown_[n] = load(s.due[n]);
#endif
  }
  BM_FN_MEMBER void save() {
    store(s_.position, u_);
#if BM_EVENT_NOISES
    for (int n = 0; n < BM_EVENT_NOISES; n++) store(s_.due[n], countdown_[n]);
#endif
  }

  BM_FN_MEMBER void begin_block(uint64_t iteration) {
    drives_.fill(p_, iteration);
    first_ = iteration;
    if (iteration == 0 && p_.transient_steps == 0) begin_window();
  }

  // False when every trajectory has made its last step: it stands where the window ends.
  BM_FN_MEMBER bool step(T xi, uint64_t iteration) {
#if BM_DRIVES
    const real drive = drives_.value[iteration - 1 - first_], drive_after = drives_.value[iteration - first_];
#else
    const real drive = 0, drive_after = 0;
#endif
#if BM_METHOD == BM_PAPER
    const T jump = count_down();
    u_ = integrate_paper(u_, xi, jump + (drift_ - p_.force * p_.h), drive + p_.force, drive_after + p_.force, p_);
#else
    const T start = xi + drift_;
    u_ = integrate(u_, start + drive * p_.h, start + (drive + drive_after) * (p_.h * (real)0.5), p_.h, p_);
#endif
    if (__builtin_expect((double)iteration == p_.transient_steps, 0)) begin_window();
    return (double)iteration != p_.total_steps;
  }

  BM_FN_MEMBER bool end_block() {
    fold(u_, s_);
    return (double)(first_ + BLOCK) < p_.total_steps;
  }

 private:
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
          set_lane(x, i,
                   get_lane(x, i) + noise.event(state, p_, events_.exponential(n, noise.component, l)) * p_.per_length);
          set_lane(left, i, rint(noise.waiting(state, p_, events_.exponential(n, noise.component, l)) * p_.rate));
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
  DriveTable drives_;
  uint64_t first_ = 0;
};
#endif
