// Stepping models with events: every trajectory on its own clock (events.h).
#pragma once
#if BM_EVENT_NOISES && BM_METHOD != BM_PAPER && BM_METHOD != BM_EXACT

// What a trajectory's own time decides.
template <class X> struct Local {
#if BM_PHASES
  X phase[PHASES];
#endif
  Outside<X> outside;  // at that time
};
template <class A, class B, class F> BM_FN void each_member(Local<A>& a, const Local<B>& b, F f) {
#if BM_PHASES
  BM_UNROLL for (int k = 0; k < PHASES; k++) f(a.phase[k], b.phase[k]);
#endif
  each_member(a.outside, b.outside, f);
}

class Stepper {
 public:
  BM_FN_MEMBER Stepper(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools)
      : events_(s, p, launch, pools),
        watch_(s, p),
        z_(load_motion(s)),
        next_(load(s.next)),
        drift_(load_drift(s, p)),
        amplitude_(load_amplitude(s, p)) {
    events_.resume();
#if !BM_PHASES
    local_.outside = outside_at((const T*)0, p);  // the same at all times
#endif
  }
  BM_FN_MEMBER void prepare() {
    events_.top_up();
    events_.count_plain();
  }
  BM_FN_MEMBER void save() {
    save_motion(events_.s, z_);
    store(events_.s.next, next_);
  }

  BM_FN_MEMBER void begin_block(uint64_t iteration) {
    first_ = iteration;
    watch_boundaries(iteration);
    watch_.begin_block();
#if BM_PHASES
    BM_UNROLL for (int k = 0; k < BM_PHASES; k++) {
      Slot<real> phase;
      for (int l = 0; l < LANES; l++) phase[l] = phase_at(events_.p, k, (double)iteration - events_.s.lag[l]);
      local_.phase[k] = load(phase);
#if BM_RANDOM_PHASES
      draw_phases(events_.launch, k, phase);
      local_.phase[k] = local_.phase[k] + load(phase);
#endif
    }
    local_.outside = outside_at(local_.phase, events_.p);
#endif
  }

#if BM_OWN_STEPS
  // Every thread makes a step of the length it needs.
  BM_FN_MEMBER bool step(T xi, int i) {
    const Parameters& p = events_.p;
    const bool ends = next_ < 1;
    const T fraction = minimum(next_, (real)1);
    Numbers<T> numbers;
    numbers_.draw(events_.launch, first_ + (uint64_t)i, numbers);
    const T before = z_.u;
    advance(z_, local_, fraction, xi, numbers, drift_, amplitude_, p);
    next_ = next_ - fraction;
    if (watch_.reached(z_.u)) watch_.look(0, before, z_.u, fraction, clock(0, i) + (double)fraction);
    if (ends) {
      if (events_.plain())
        moved(z_) = moved(z_) + events_.happen_plainly(fraction, next_);
      else
        happen(z_, fraction, i, 0, 0, next_);
      if (watch_.reached(z_.u)) watch_.look(0, z_.u, z_.u, 0, clock(0, i + 1));
#if BM_DRIFT_VARIES
      drift_ = drift_of(events_.s, p, 0);
#endif
#if BM_AMPLITUDE_VARIES
      amplitude_ = model_amplitude(events_.s, p, 0);
#endif
    }
    return true;
  }
#else
  BM_FN_MEMBER bool step(T xi, int i) {
    Numbers<T> numbers;
    numbers_.draw(events_.launch, first_ + (uint64_t)i, numbers);
    Motion<T> z = z_;
    Local<T> local = local_;
    advance(z, local, Whole(), xi, numbers, drift_, amplitude_, events_.p);
    T left = next_ - (real)1;
    if (__builtin_expect(any_negative(left), 0)) {
      BM_UNROLL for (int g = 0; g < PARTS; g++) {
        Part left_g = part(left, g);
        if (!any_negative(left_g)) continue;
        Motion<Part> z_g = part_of(z, g);
        Local<Part> local_g = part_of(local, g);
        shorten(g, left_g, z_g, local_g, part(xi, g), part_of(numbers, g), i);
        set_part_of(z, g, z_g);
        set_part_of(local, g, local_g);
        set_part(left, g, left_g);
      }
    }
    if (__builtin_expect(watch_.reached(z.u), 0))
      look_at_all(watch_, z_.u, z.u, [&](int l) { return clock(l, i + 1); });
    z_ = z;
    local_ = local;
    next_ = left;
    return true;
  }
#endif

  // False when every trajectory of the group is done.
  BM_FN_MEMBER bool end_block() {
    Trajectories& s = events_.s;
    settle(z_, s);
    events_.end_block();
    if (any(!(absolute(z_.u) <= FARTHEST))) end_diverged(s, z_.u, (double)(first_ + BLOCK) - s.lag[0]), watching_ = true;
    if (!watching_) return true;
    for (int l = 0; l < LANES; l++)
      if (s.stage[l] < DONE) return true;
    return false;
  }

 private:
  // A clock is never ahead of the number of iterations: most blocks lie before the next boundary of every trajectory.
  BM_FN_MEMBER void watch_boundaries(uint64_t iteration) {
    const double end = (double)(iteration + BLOCK);
    if (watching_ && end < events_.p.total_steps) {  // until the last trajectory's window has begun
      measured_ = true;
      for (int l = 0; l < LANES; l++) measured_ = measured_ && events_.s.stage[l] == MEASURED;
    }
    const double boundary = measured_ ? events_.p.total_steps : events_.p.transient_steps;
#if BM_MARKS
    if (watching_) {  // marks may have been passed
      nearest_mark_ = 1e300;
      for (int l = 0; l < LANES; l++) {
        const double mark = next_mark(events_.s, events_.launch, l);
        nearest_mark_ = mark < nearest_mark_ ? mark : nearest_mark_;
      }
    }
    watching_ = end >= (nearest_mark_ < boundary ? nearest_mark_ : boundary);
#else
    watching_ = end >= boundary;
#endif
    if (!watching_) {
      for (int l = 0; l < LANES; l++) events_.armed[l] = 0;
      return;
    }
    store(events_.s.next, next_);
    for (int l = 0; l < LANES; l++) events_.arm(l, (double)iteration);
    next_ = load(events_.s.next);
  }

  // A step of a trajectory and of its clock.
  template <class X, class L, class D, class A>
  BM_FN_MEMBER static void advance(Motion<X>& z, Local<X>& local, L length, X xi, const Numbers<X>& numbers, D drift,
                                   A amplitude, const Parameters& p) {
#if BM_PHASES
    Outside<X> before = local.outside;
    const auto turned = [&](const X& phase, int k, real part) {
      return advanced(phase, length, (real)p.phase_per_step[k] * part);
    };
#if BM_METHOD == BM_ABOBA
    X middle[PHASES];
    BM_UNROLL for (int k = 0; k < BM_PHASES; k++) middle[k] = turned(local.phase[k], k, (real)0.5);
    before = outside_at(middle, p);
    local.outside = before;
#endif
    BM_UNROLL for (int k = 0; k < BM_PHASES; k++) local.phase[k] = turned(local.phase[k], k, (real)1);
#if BM_METHOD != BM_ABOBA
    local.outside = outside_at(local.phase, p);
#endif
    make_step(z, length, xi, numbers, drift, amplitude, before, local.outside, p);
#else
    make_step(z, length, xi, numbers, drift, amplitude, local.outside, local.outside, p);
#endif
  }

  // Steps on the clock of trajectory l before iteration i of the block.
  BM_FN_MEMBER double clock(int l, int i) { return (double)(first_ + (uint64_t)i) - events_.lag(l); }

  // What a jump moves.
  template <class X> BM_FN_MEMBER static X& moved(Motion<X>& z) {
#if BM_UNDERDAMPED
    return z.v;
#else
    return z.u;
#endif
  }

  // Lets happen what is due for lane i of part g, whose position is in z.
  template <class X>
  BM_FN_MEMBER void happen(Motion<X>& z, real fraction, int iteration, int g, int i, real& next) {
    const int l = g * WIDTH + i;
    const uint8_t stage = events_.s.stage[l];
    X& target = moved(z);
    const real jump = events_.happen(l, fraction, (double)(first_ + (uint64_t)iteration + 1), get_lane(z.u, i),
                                     get_lane(target, i), next);
    set_lane(target, i, get_lane(target, i) + jump);
    if (stage == TRANSIENT && events_.s.stage[l] != TRANSIENT) begin_sums(z, events_.s, l, i);
  }

#if !BM_OWN_STEPS
  // Does the iteration of part g again for the trajectories in which something happens before it ends: those with left
  // < 0. z, local: as they are at its end for the others, whose bits must not depend on their neighbours.
  BM_FN_MEMBER void shorten(int g, Part& left, Motion<Part>& z, Local<Part>& local, Part xi,
                            const Numbers<Part>& numbers, int iteration) {
    const auto ends = left < (real)0;
    const Part fraction = select(ends, part(next_, g), (real)1);
    Motion<Part> short_z = part_of(z_, g);
    Local<Part> short_local = part_of(local_, g);
    advance(short_z, short_local, fraction, xi, numbers, part(drift_, g), part(amplitude_, g), events_.p);
    const auto replace = [&](Part& whole, const Part& shortened) { whole = select(ends, shortened, whole); };
    each_member(z, short_z, replace);
    each_member(local, short_local, replace);
    each_lane(ends, [&](int i) {
      const int l = g * WIDTH + i;
      real next;
      const real before = get_lane(part(z_.u, g), i), length = get_lane(fraction, i), there = get_lane(z.u, i);
      watch_.look(l, before, there, length, clock(l, iteration) + (double)length);
      happen(z, length, iteration, g, i, next);
      watch_.look(l, there, get_lane(z.u, i), 0, clock(l, iteration + 1));
      set_lane(left, i, next);
#if BM_DRIFT_VARIES
      Part drift = part(drift_, g);
      set_lane(drift, i, drift_of(events_.s, events_.p, g * WIDTH + i));
      set_part(drift_, g, drift);
#endif
#if BM_AMPLITUDE_VARIES
      Part amplitude = part(amplitude_, g);
      set_lane(amplitude, i, model_amplitude(events_.s, events_.p, g * WIDTH + i));
      set_part(amplitude_, g, amplitude);
#endif
    });
  }
#endif

  Events events_;
  Watch watch_;
  uint64_t first_ = 0;  // iterations before this block
  bool watching_ = true, measured_ = false;
#if BM_MARKS
  double nearest_mark_ = 0;
#endif
  Motion<T> z_;
  T next_;
  Drift drift_;
  Amplitude amplitude_;
  Local<T> local_{};
  StepNumbers numbers_;
};
#endif
