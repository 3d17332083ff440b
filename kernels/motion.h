// One trajectory, or a group or part of one, on its way: position, velocity, and all that changes from step to step.
#pragma once
#include "calls.h"

namespace bmsim_kernel {

constexpr int PHASES = BM_PHASES > 0 ? BM_PHASES : 1, EVOLVING = BM_EVOLVING > 0 ? BM_EVOLVING : 1;
constexpr int AVERAGES = BM_AVERAGES > 0 ? BM_AVERAGES : 1;
constexpr int STEP_NUMBERS = BM_STEP_NUMBERS > 0 ? BM_STEP_NUMBERS : 1;
constexpr real FARTHEST = (real)1e30;  // |x / L| beyond it has diverged

struct Whole {};  // the length of a step that no event ends; other lengths are fractions of it

template <class X> struct Motion {
  X u;  // x / L
#if BM_UNDERDAMPED
  X v;
#endif
#if BM_SQUARES
  X squares;  // of v in this block
#endif
#if BM_LYAPUNOV
#if BM_UNDERDAMPED
  X tangent[2];  // a small difference of x / L and of v, of any length
#else
  X growth;  // of its logarithm in this block
#endif
#endif
#if BM_EVOLVING
  X evolving[EVOLVING];  // states of coloured noises
#endif
};

// f(member of a, member of b) for every member.
template <class A, class B, class F> BM_FN void each_member(Motion<A>& a, B& b, F f) {
  f(a.u, b.u);
#if BM_UNDERDAMPED
  f(a.v, b.v);
#endif
#if BM_SQUARES
  f(a.squares, b.squares);
#endif
#if BM_LYAPUNOV
#if BM_UNDERDAMPED
  BM_UNROLL for (int i = 0; i < 2; i++) f(a.tangent[i], b.tangent[i]);
#else
  f(a.growth, b.growth);
#endif
#endif
#if BM_EVOLVING
  BM_UNROLL for (int i = 0; i < EVOLVING; i++) f(a.evolving[i], b.evolving[i]);
#endif
}
template <class X, template <class> class S> BM_FN S<Part> part_of(const S<X>& all, int g) {
  S<Part> some;
  each_member(some, all, [&](auto& to, const auto& from) { to = part(from, g); });
  return some;
}
template <class X, template <class> class S> BM_FN void set_part_of(S<X>& all, int g, const S<Part>& some) {
  each_member(all, some, [&](auto& to, const auto& from) { set_part(to, g, from); });
}

BM_FN Motion<T> load_motion(Trajectories& s) {
  Motion<T> z;
  z.u = load(s.position);
#if BM_UNDERDAMPED
  z.v = load(s.velocity);
#endif
#if BM_SQUARES
  z.squares = T((real)0);
#endif
#if BM_LYAPUNOV
#if BM_UNDERDAMPED
  BM_UNROLL for (int i = 0; i < 2; i++) z.tangent[i] = load(s.tangent[i]);
#else
  z.growth = T((real)0);
#endif
#endif
#if BM_EVOLVING
  BM_UNROLL for (int i = 0; i < EVOLVING; i++) z.evolving[i] = load(s.evolving[i]);
#endif
  return z;
}
BM_FN void save_motion(Trajectories& s, const Motion<T>& z) {
  store(s.position, z.u);
#if BM_UNDERDAMPED
  store(s.velocity, z.v);
#endif
#if BM_LYAPUNOV && BM_UNDERDAMPED
  BM_UNROLL for (int i = 0; i < 2; i++) store(s.tangent[i], z.tangent[i]);
#endif
#if BM_EVOLVING
  BM_UNROLL for (int i = 0; i < EVOLVING; i++) store(s.evolving[i], z.evolving[i]);
#endif
}

BM_FN real last_velocity(Trajectories& s, int l) {
#if BM_UNDERDAMPED
  return s.velocity[l];
#else
  (void)s, (void)l;
  return 0;
#endif
}

#if BM_LYAPUNOV
// Adds up a growth; a tangent vector is brought back to a length of about 1 by whole octaves, which loses no digit, and
// does nothing to one that has been.
BM_FN void settle_growth(Motion<T>& z, Trajectories& s, int g) {
#if BM_UNDERDAMPED
  const Part x = part(z.tangent[0], g), v = part(z.tangent[1], g);
  Part mantissa, exponent;
  split(x * x + v * v, mantissa, exponent);
  const Part octaves = rint(exponent * (real)0.5), scale = power_of_two(-octaves);
  add_part(s.growth, g, octaves);
  set_part(z.tangent[0], g, x * scale);
  set_part(z.tangent[1], g, v * scale);
#else
  add_part(s.growth, g, part(z.growth, g));
  set_part(z.growth, g, Part((real)0));
#endif
}
#endif

#if BM_SQUARES
// Of the mean of v^2 over a step what does not depend on v: see step.h.
BM_FN real constant_square(const Parameters& p) {
#if BM_METHOD == BM_ABOBA
  const real deviation = increment_deviation(p);
  return p.noise_square * deviation * deviation;
#else
  (void)p;
  return 0;
#endif
}
#endif

// At the end of a block: takes whole periods off the positions, where the potential is periodic, and adds up.
BM_FN void settle([[maybe_unused]] Motion<T>& z, [[maybe_unused]] Trajectories& s,
                  [[maybe_unused]] const Parameters& p) {
  for (int g = 0; g < PARTS; g++) {
#if BM_PERIODIC
    const Part u = part(z.u, g), whole = rint(u);
    add_part(s.periods, g, whole);
    set_part(z.u, g, u - whole);
#endif
#if BM_SQUARES
#if BM_METHOD == BM_ABOBA
    add_part(s.squares, g, part(z.squares, g) * p.square);
#else
    add_part(s.squares, g, part(z.squares, g));
#endif
    set_part(z.squares, g, Part((real)0));
#endif
#if BM_LYAPUNOV
    settle_growth(z, s, g);
#endif
  }
}

// The window of lane i of part g, trajectory l, begins: so do the sums over it.
template <class X> BM_FN void begin_sums(Motion<X>& z, Trajectories& s, const Parameters& p, int l, int i) {
#if BM_SQUARES
  s.squares[l] = (double)constant_square(p) * (p.total_steps - p.transient_steps);
  set_lane(z.squares, i, 0);
#endif
#if BM_LYAPUNOV
#if BM_UNDERDAMPED
  s.growth[l] = -octaves(get_lane(z.tangent[0], i), get_lane(z.tangent[1], i));
#else
  s.growth[l] = 0;
  set_lane(z.growth, i, 0);
#endif
#endif
  (void)z, (void)s, (void)p, (void)l, (void)i;
}

// Ends trajectories that are no longer finite: `steps` is where they are. Nothing they do matters any more.
BM_RARE void end_diverged(Trajectories& s, const T& u, double steps) {
  Slot<real> position;
  store(position, u);
  for (int l = 0; l < LANES; l++) {
    const bool runs_on = BM_METHOD == BM_EXACT && s.stage[l] == DONE;  // what becomes of it after its end is no matter
    if (runs_on || s.stage[l] == DIVERGED || absolute(position[l]) <= (real)FARTHEST) continue;
    s.stage[l] = DIVERGED;
    s.window_start[l] = steps;
  }
}

// What is constant between events: the drift of the noises with the constant force (times h where overdamped), and what
// noises with states add to the potential's amplitude. One number each where no state matters.
BM_FN real drift_of(Trajectories& s, const Parameters& p, int l) {
  return model_drift(s, p, l) * (BM_UNDERDAMPED ? (real)1 : p.h);
}
#if BM_DRIFT_VARIES
typedef T Drift;
BM_FN T load_drift(Trajectories& s, const Parameters& p) {
  Slot<real> drift;
  for (int l = 0; l < LANES; l++) drift[l] = drift_of(s, p, l);
  return load(drift);
}
#else
typedef real Drift;
BM_FN real load_drift(Trajectories& s, const Parameters& p) { return drift_of(s, p, 0); }
#endif
#if BM_AMPLITUDE_VARIES
typedef T Amplitude;
BM_FN T load_amplitude(Trajectories& s, const Parameters& p) {
  Slot<real> amplitude;
  for (int l = 0; l < LANES; l++) amplitude[l] = model_amplitude(s, p, l);
  return load(amplitude);
}
#else
typedef real Amplitude;
BM_FN real load_amplitude(Trajectories&, const Parameters&) { return 0; }
#endif

}  // namespace bmsim_kernel
