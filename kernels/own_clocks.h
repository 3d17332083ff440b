// Stepping models with events: every trajectory on its own clock (events.h).
#pragma once
#if BM_EVENT_NOISES && BM_METHOD != BM_PAPER

class Stepper {
 public:
  BM_FN_MEMBER Stepper(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools)
      : events_(s, p, launch, pools), u_(load(s.position)), next_(load(s.next)), drift_(load_drift(s, p)) {
    events_.resume();
  }
  BM_FN_MEMBER void prepare() {
    events_.top_up();
    events_.count_plain();
  }
  BM_FN_MEMBER void save() {
    store(events_.s.position, u_);
    store(events_.s.next, next_);
  }

  BM_FN_MEMBER void begin_block(uint64_t iteration) {
    first_ = iteration;
    watch_boundaries(iteration);
#if BM_DRIVES
    BM_UNROLL for (int d = 0; d < BM_DRIVES; d++) {
      Slot<real> phase;
      for (int l = 0; l < LANES; l++)
        phase[l] = turn(events_.p.turns_per_step[d], (double)iteration - events_.s.lag[l]);
      phase_[d] = load(phase);
    }
    drive_ = model_drive(phase_, events_.p);
#endif
  }

#if BM_OWN_STEPS
  // Every thread makes a step of the length it needs.
  BM_FN_MEMBER bool step(T xi, int i) {
    const Parameters& p = events_.p;
    const bool ends = next_ < 1;
    const T fraction = minimum(next_, (real)1), h = fraction * p.h;
#if BM_INCREMENTS == BM_NO_INCREMENTS
    (void)xi;
    const T start = fma(drift_, fraction, u_);
#else
    const T start = fma(drift_, fraction, fma(xi, sqrt(fraction), u_));
#endif
#if BM_DRIVES
    BM_UNROLL for (int d = 0; d < BM_DRIVES; d++) phase_[d] = fma(fraction, (real)p.turns_per_step[d], phase_[d]);
    const T drive = model_drive(phase_, p);
    u_ = integrate(u_, fma(drive_, h, start), fma(drive_ + drive, h * (real)0.5, start), h, p);
    drive_ = drive;
#else
    u_ = integrate(u_, start, start, h, p);
#endif
    next_ = next_ - fraction;
    if (ends) {
      if (events_.plain())
        u_ = u_ + events_.happen_plainly(fraction, next_);
      else
        u_ = u_ + events_.happen(0, fraction, (double)(first_ + (uint64_t)i + 1), u_, next_);
#if BM_DRIFT_VARIES
      drift_ = model_drift(events_.s, p, 0) * p.h;
#endif
    }
    return true;
  }
#else
  BM_FN_MEMBER bool step(T xi, int i) {
    const Parameters& p = events_.p;
    const T start = u_ + (xi + drift_);
#if BM_DRIVES
    T phase[BM_DRIVES];
    BM_UNROLL for (int d = 0; d < BM_DRIVES; d++) phase[d] = phase_[d] + (real)p.turns_per_step[d];
    T drive = model_drive(phase, p);
    T u = integrate(u_, fma(drive_, p.h, start), fma(drive_ + drive, p.h * (real)0.5, start), p.h, p);
#else
    T u = integrate(u_, start, start, p.h, p);
#endif
    T left = next_ - (real)1;
    if (__builtin_expect(any_negative(left), 0)) {
      BM_UNROLL for (int g = 0; g < PARTS; g++) {
        Part left_g = part(left, g);
        if (!any_negative(left_g)) continue;
#if BM_DRIVES
        Part phase_g[BM_DRIVES], drive_g;
        set_part(u, g, shorten(g, left_g, part(xi, g), i, phase_g, drive_g));
        for (int d = 0; d < BM_DRIVES; d++) set_part(phase[d], g, phase_g[d]);
        set_part(drive, g, drive_g);
#else
        set_part(u, g, shorten(g, left_g, part(xi, g), i));
#endif
        set_part(left, g, left_g);
      }
    }
    u_ = u;
    next_ = left;
#if BM_DRIVES
    BM_UNROLL for (int d = 0; d < BM_DRIVES; d++) phase_[d] = phase[d];
    drive_ = drive;
#endif
    return true;
  }
#endif

  // False when every trajectory of the group is done.
  BM_FN_MEMBER bool end_block() {
    fold(u_, events_.s);
    events_.end_block();
    if (!watching_) return true;
    for (int l = 0; l < LANES; l++)
      if (events_.s.stage[l] != DONE) return true;
    return false;
  }

 private:
  // A clock is never ahead of the number of iterations: most blocks lie before the next boundary of every trajectory.
  BM_FN_MEMBER void watch_boundaries(uint64_t iteration) {
    const double end = (double)(iteration + BLOCK);
    if (watching_ && end < events_.p.total_steps) {  // until the last trajectory's window has begun
      measured_ = true;
      for (int l = 0; l < LANES; l++) measured_ = measured_ && events_.s.stage[l] != TRANSIENT;
    }
    watching_ = end >= (measured_ ? events_.p.total_steps : events_.p.transient_steps);
    if (!watching_) {
      for (int l = 0; l < LANES; l++) events_.armed[l] = 0;
      return;
    }
    store(events_.s.next, next_);
    for (int l = 0; l < LANES; l++) events_.arm(l, (double)iteration);
    next_ = load(events_.s.next);
  }

#if !BM_OWN_STEPS
  // Does the iteration of part g again for the trajectories in which something happens before it ends: those with left
  // < 0.
#if BM_DRIVES
  BM_FN_MEMBER Part shorten(int g, Part& left, Part xi, int iteration, Part phase[], Part& drive) {
#else
  BM_FN_MEMBER Part shorten(int g, Part& left, Part xi, int iteration) {
#endif
    const Parameters& p = events_.p;
    const auto ends = left < (real)0;
    const Part fraction = select(ends, part(next_, g), (real)1), h = fraction * p.h;
    const Part start = part(u_, g) + fma(part(drift_, g), fraction, xi * sqrt(fraction));
#if BM_DRIVES
    for (int d = 0; d < BM_DRIVES; d++) phase[d] = part(phase_[d], g) + fraction * (real)p.turns_per_step[d];
    drive = model_drive(phase, p);
    const Part before = part(drive_, g);
    Part u = integrate(part(u_, g), fma(before, h, start), fma(before + drive, h * (real)0.5, start), h, p);
#else
    Part u = integrate(part(u_, g), start, start, h, p);
#endif
    each_lane(ends, [&](int i) {
      const int l = g * WIDTH + i;
      const real here = get_lane(u, i);
      real next;
      set_lane(u, i,
               here + events_.happen(l, get_lane(fraction, i), (double)(first_ + (uint64_t)iteration + 1), here, next));
      set_lane(left, i, next);
#if BM_DRIFT_VARIES
      Part drift = part(drift_, g);
      set_lane(drift, i, model_drift(events_.s, p, l) * p.h);
      set_part(drift_, g, drift);
#endif
    });
    return u;
  }
#endif

  Events events_;
  uint64_t first_ = 0;  // iterations before this block
  bool watching_ = true, measured_ = false;
  T u_, next_;
  Drift drift_;
#if BM_DRIVES
  T phase_[BM_DRIVES], drive_;
#endif
};
#endif
