// Method exact: no steps. In a piecewise-linear V, without white noise and drives, a particle moves at constant
// velocity on every piece until an event of a noise, an end of the window or a mark. An iteration takes a trajectory
// from one of these to the next, over any number of pieces and periods. Its clock still counts steps of dt, on which
// nothing else depends.
#pragma once
#include "events.h"
#include "untimed.h"

namespace bmsim_kernel {

constexpr int PIECES = (int)decltype(Parameters::piece_force)::count;

// A particle rests where forces cancel to within rounding: largest relative remainder.
constexpr real STILL = (real)(SINGLE ? 1e-6 : 1e-14);
// Counters need straight lines: an iteration then also ends at the edge of a piece.
constexpr bool STRAIGHT = Counters::LOOKS;

// The motion between changes of state. A particle that moves to the right belongs to the piece whose left edge it is
// at, one that moves to the left to the piece whose right edge it is at. At an edge towards which both sides push it is
// therefore on neither, and rests.
struct Flow {
  Drift::Each velocity[PIECES], slowness[PIECES];  // in periods per step; its inverse, 0 at rest
  Drift::Each circle, per_circle;                  // steps for a period, and the inverse; 0 if a particle comes to rest
#if !BM_DRIFT_VARIES
  real sign, first_time, time[PIECES], pace[PIECES], per_pace[PIECES];  // see run
#endif

  BM_FN_MEMBER void set(const Drift::Each& drift, const Parameters& p) {
    Drift::Each lowest = drift + p.piece_force[0], highest = lowest, around = drift * (real)0;
    for (int j = 0; j < PIECES; j++) {
      const real force = p.piece_force[j];
      Drift::Each v = drift + force;
      v = select(absolute(v) > maximum(absolute(drift), absolute(force)) * STILL, v, (real)0);
      velocity[j] = v;
      slowness[j] = select(v == (real)0, (real)0, (real)1 / select(v == (real)0, (real)1, v));
      around = around + slowness[j] * (p.piece_edge[j + 1] - p.piece_edge[j]);
      lowest = minimum(lowest, v);
      highest = maximum(highest, v);
    }
    const auto runs = lowest > (real)0 || highest < (real)0;
    circle = select(runs, absolute(around), (real)0);
    per_circle = select(runs, (real)1 / select(runs, circle, (real)1), (real)0);
#if !BM_DRIFT_VARIES
    sign = velocity[0] > (real)0 ? 1 : -1;
    real passed = 0;
    for (int j = 0; j < PIECES; j++) {
      pace[j] = sign * velocity[j];
      per_pace[j] = sign * slowness[j];
      time[j] = passed;
      passed += per_pace[j] * (p.piece_edge[j + 1] - p.piece_edge[j]);
    }
    first_time = -p.piece_edge[0] * per_pace[0];
#endif
  }

  // Moves on by `length` steps; what is left in `length` is the time at rest at the end. Adds the periods taken off u
  // to `whole`.
  BM_FN_MEMBER void move(T& u, T& length, T& whole, const Parameters& p) const {
#if BM_DRIFT_VARIES
    if (!STRAIGHT && any(per_circle > (real)0)) {
      const T rounds = floor(length * per_circle);
      length = maximum(fma(-rounds, circle, length), (real)0);
      whole = whole + copysign(rounds, velocity[0]);
    }
#else
    if (!STRAIGHT && per_circle > (real)0) return run(u, length, whole, p);
#endif
    go_round<1>(u, length, whole, p);
    go_round<-1>(u, length, whole, p);
  }

  // Steps to the edge of the piece; very many if the particle rests.
  BM_FN_MEMBER T to_edge(const T& u, const Parameters& p) const {
    T steps = T((real)1e30);
    const auto see = [&](const auto& on, const T& needs, real, int) { steps = select(on, needs, steps); };
    const real first = p.piece_edge[0], last = p.piece_edge[PIECES];  // the same edge
    each_piece<1>(select(u < last, u, T(first)), p, see);
    each_piece<-1>(select(u > first, u, T(last)), p, see);
    return steps;
  }

 private:
  template <int SIGN> BM_FN_MEMBER static auto before(const T& u, real edge) {
    if constexpr (SIGN > 0)
      return u < edge;
    else
      return u > edge;
  }
  // Calls f(mask of trajectories on the piece that move in direction SIGN, steps to its far edge, that edge, piece) for
  // all pieces, in the order in which they are passed.
  template <int SIGN, class F> BM_FN_MEMBER void each_piece(const T& u, const Parameters& p, F f) const {
    BM_UNROLL for (int k = 0; k < PIECES; k++) {
      const int j = SIGN > 0 ? k : PIECES - 1 - k;
      const Drift::Each v = velocity[j] * (real)SIGN;
      if (!any(v > (real)0)) continue;
      const real far = p.piece_edge[SIGN > 0 ? j + 1 : j];
      const T gap = far - u;
      auto on = before<SIGN>(u, far);
      if (k > 0)
        on = on && !before<SIGN>(u, p.piece_edge[SIGN > 0 ? j : j + 1]);  // rounding may leave it before the first
      if constexpr (BM_DRIFT_VARIES) on = on && v > (real)0;
      f(on, gap * slowness[j], far, j);
    }
  }

#if !BM_DRIFT_VARIES
  // If the motion has the same direction, `sign`, on all pieces: a position corresponds to the time from the left end
  // of the period to it, or back. time: at the left edges of the pieces; pace, per_pace: velocity and slowness without
  // sign.
  BM_FN_MEMBER void run(T& u, T& length, T& whole, const Parameters& p) const {
    T t = fma(u, per_pace[0], first_time);
    BM_UNROLL for (int j = 1; j < PIECES; j++) {
      const real left = p.piece_edge[j];
      t = select(u >= left, fma(u - left, per_pace[j], time[j]), t);
    }
    t = fma(length, sign, t);
    whole = floor(t * per_circle);
    t = fma(-whole, circle, t);
    u = fma(t, pace[0], p.piece_edge[0]);
    BM_UNROLL for (int j = 1; j < PIECES; j++) u = select(t >= time[j], fma(t - time[j], pace[j], p.piece_edge[j]), u);
    length = T((real)0);
  }
#endif
  // Moves to the end of the period, then from its beginning to the initial position.
  template <int SIGN> BM_FN_MEMBER void go_round(T& u, T& length, T& whole, const Parameters& p) const {
    const real first = p.piece_edge[SIGN > 0 ? 0 : PIECES], last = p.piece_edge[SIGN > 0 ? PIECES : 0];
    for (int pass = 0; pass < 2; pass++) {
      each_piece<SIGN>(u, p, [&](const auto& on, const T& needs, real far, int j) {
        const auto stays = length < needs;
        u = select(on, select(stays, fma(T(velocity[j]), length, u), T(far)), u);
        length = select(on, select(stays, T((real)0), length - needs), length);
      });
      const auto leaves = length > (real)0 && !before<SIGN>(u, last);
      if (pass > 0 || !any(leaves)) return;
      u = select(leaves, T(first), u);
      whole = whole + select(leaves, T((real)SIGN), T((real)0));
    }
  }
};

class Stepper {
 public:
  BM_FN_MEMBER Stepper(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools)
      : events_(s, p, launch, pools), counters_(s, p, launch), u_(load(s.position[0])) {
    BM_UNROLL for (int n = 0; n < BM_EVENT_NOISES; n++) due_[n] = minimum(load(s.due[n]), FAR);
    events_.resume();
    set_flow();
  }
  BM_FN_MEMBER void save() {
    Slot<real> u;
    store(u, u_);
    for (int l = 0; l < LANES; l++)
      if (events_.s.stage[l] < DONE) events_.s.position[0][l] = u[l];
    BM_UNROLL for (int n = 0; n < BM_EVENT_NOISES; n++) store(events_.s.due[n], due_[n]);
  }

  BM_FN_MEMBER void begin_block(uint64_t iteration) {
    if constexpr (BM_HALVES) await_middle((double)iteration);
    untimed_.begin_block([&](int l) BM_FN_LAMBDA { return left_of(l); });
    counters_.begin_block();
  }

  BM_FN_MEMBER void begin_run(int) {}
  BM_FN_MEMBER void step(const White<T>&, int i) {
    if (i % 2 == 0) events_.supply();
    const Parameters& p = events_.p;
    T length = untimed_.left, whole = T((real)0);
    BM_UNROLL for (int n = 0; n < BM_EVENT_NOISES; n++) length = minimum(length, due_[n]);
    if (STRAIGHT) length = minimum(length, flow_.to_edge(u_, p));
    if (BM_HALVES && some_near_) see_middle(length);
    const T before = u_;
    T rest = length;
    flow_.move(u_, rest, whole, p);
    counters_.travel(flow_.slowness, before, u_, whole, rest);
    untimed_.spent = untimed_.spent + length;
    if constexpr (BM_PUSHED) untimed_.push = fma(length, T(drift_), untimed_.push);
    if (STRAIGHT) look(before, u_ + whole, length);
    count(whole);
    const auto at_boundary = untimed_.left == length;
    untimed_.left = untimed_.left - length;
    if (any(at_boundary)) pass_boundaries(at_boundary);
    happen(length, at_boundary);
  }

  // False when every trajectory of the group is done.
  BM_FN_MEMBER bool end_block() {
    counters_.end_block();
    return untimed_.end_block(events_.s, u_);
  }

 private:
  // An iteration lasts until something happens, and must not end at the middle of the window: its bits would be others.
  // So the place there is found on the way, by a look ahead in those blocks that may reach it: as far as a trajectory
  // has come in many blocks so far. One that gets there in a block that was not expected to is kept where it is at the
  // end of that. What a trajectory does is decided by itself alone.
  BM_FN_MEMBER void await_middle(double iterations) {
    constexpr double blocks = 8;
    some_near_ = false;
    for (int l = 0; l < LANES; l++) {
      near_[l] = 0;
      if (events_.s.stage[l] >= DONE || middle_is_kept(events_.s, l)) continue;
      const double clock = -events_.s.lag[l], left = window_of(events_.p).middle - clock;
      if (left > 0) {
        near_[l] = left * iterations <= blocks * BLOCK * clock || iterations == 0;
        some_near_ = some_near_ || near_[l];
      } else {
        keep_middle(events_.s, l, 0, (double)get_lane(part(u_, l / WIDTH), l % WIDTH) + events_.s.periods[0][l]);
        keep_middle_time(events_.s, l, clock);
      }
    }
  }
  // Before an iteration of this length: keeps where trajectories are at the middle that get there in it.
  BM_FN_MEMBER void see_middle(const T& length) {
    Slot<real> to;
    for (int l = 0; l < LANES; l++) {
      to[l] = ENDLESS;
      if (near_[l] && events_.s.stage[l] < DONE && !middle_is_kept(events_.s, l))
        to[l] = (real)(window_of(events_.p).middle + events_.s.lag[l]);
    }
    const T left = maximum(load(to) - untimed_.spent, (real)0);
    const auto passes = left <= length;
    if (!any(passes)) return;
    T u = u_, rest = select(passes, left, (real)0), whole = T((real)0);
    flow_.move(u, rest, whole, events_.p);
    for (int g = 0; g < PARTS; g++)
      each_lane(part(passes, g), [&](int i) {
        const int l = g * WIDTH + i;
        const double periods = (double)get_lane(part(whole, g), i) + (double)get_lane(part(untimed_.whole, g), i);
        keep_middle(events_.s, l, 0, (double)get_lane(part(u, g), i) + periods + events_.s.periods[0][l]);
        keep_middle_time(events_.s, l, window_of(events_.p).middle);
      });
  }
  // Steps to the next boundary. After its end a trajectory runs on, but nothing of this is kept.
  BM_FN_MEMBER real left_of(int l) {
    if (events_.s.stage[l] >= DONE) return ENDLESS;
    return maximum((real)to_boundary(events_.s, events_.p, events_.launch, l, -events_.s.lag[l]), (real)0);
  }
  template <class M> BM_FN_MEMBER void pass_boundaries(const M& there) {
    untimed_.pass_boundaries(
        events_.s, there, u_,
        [&](int l, real u) BM_FN_LAMBDA { stand_at_boundary(events_.s, events_.p, events_.launch, l, u); },
        [&](int l) BM_FN_LAMBDA { return left_of(l); });
    counters_.pass_boundary(events_.s);
    if (STRAIGHT) counters_.begin_block();
  }
  // `length` steps have passed: handles events that are due. A trajectory that has just passed a boundary leaves its
  // event to the next iteration, which lasts no time.
  template <class M> BM_FN_MEMBER void happen(const T& length, const M& at_boundary) {
    const Parameters& p = events_.p;
    const T before = u_;
    bool happened = false;
    each_event_noise([&](auto noise, int n) BM_FN_LAMBDA {
      due_[n] = due_[n] - length;
      const auto fires = due_[n] <= (real)0 && !at_boundary;
      if (!any(fires)) return;
      happened = true;
      T amplitude = T((real)1), wait = amplitude;  // unit exponentials; meaningless where no event fires
      events_.pools.next_all(n, events_.launch.seed, stream_events(noise.component), events_.launch.trajectory, fires,
                             events_.s.used[n], amplitude, wait);
      const T kick = noise.event_all(events_.s, p, fires, amplitude);
      u_ = select(fires, fma(kick, p.variable[0].per_kick, u_), u_);
      if constexpr (BM_PUSHED)
        untimed_.push = select(fires, fma(kick, p.variable[0].per_kick, untimed_.push), untimed_.push);
      due_[n] = select(fires, minimum(noise.waiting_all(events_.s, p, wait) * p.rate, FAR), due_[n]);
    });
    if (STRAIGHT && happened) look(before, u_, T((real)0));
    const T whole = rint(u_ - (p.piece_edge[0] + (real)0.5));  // for all: none depends on its neighbours
    u_ = u_ - whole;
    count(whole);
    if (BM_DRIFT_VARIES && happened) set_flow();
  }
  BM_FN_MEMBER void set_flow() {
    drift_ = exact_drift(events_.s, events_.p);
    flow_.set(drift_, events_.p);
  }
  // Counts periods taken off u, and tells counters about them.
  BM_FN_MEMBER void count(const T& whole) {
    untimed_.whole = untimed_.whole + whole;
    if (!STRAIGHT || !any(untimed_.whole != (real)0)) return;
    untimed_.add_whole(events_.s);
    counters_.begin_block();
  }
  BM_FN_MEMBER void look(const T& before, const T& after, const T& length) {
    if (!counters_.reached(after)) return;
    Slot<real> from, to, took, spent;
    store(from, before);
    store(to, after);
    store(took, length);
    store(spent, untimed_.spent);
    for (int l = 0; l < LANES; l++) counters_.look(l, from[l], to[l], took[l], (double)spent[l] - events_.s.lag[l]);
  }

  Events events_;
  Counters counters_;
  T u_, due_[BM_EVENT_NOISES];  // x / L; steps to the next event of each noise
  Untimed untimed_;
  Flow flow_;
  Drift::Each drift_;   // by all but V, in periods per step
  Slot<uint8_t> near_;  // whether a trajectory may get to the middle of its window in this block
  bool some_near_ = false;
};

}  // namespace bmsim_kernel
