// Coarse steps on the noise of fine ones. A coarse run is a fine one (the same clocks, events, random numbers, all
// counted in fine steps) whose paths move after every second step only, by what two have gathered: paths of the two
// differ by the error of the step alone.
#pragma once
#include "step.h"

namespace bmsim_kernel {

#if BM_COARSE

template <class X> struct Gathered {
  X length;     // fine steps since the last move, up to 2
  X increment;  // all increments of u or v since then
#if BM_GATHERED_IMPULSES
  X impulse;  // but those with a law of their own
#endif
#if BM_EVOLVING
  X evolving[EVOLVING];  // where coloured noises are now; the motion has what they were at the last move
#endif
#if BM_AVERAGES
  X average[AVERAGES];  // of those that know their mean over a step: the integral since then, by fine steps
#endif
};
template <class A, class B, class F> BM_FN void each_member(Gathered<A>& a, const Gathered<B>& b, F f) {
  f(a.length, b.length);
  f(a.increment, b.increment);
#if BM_GATHERED_IMPULSES
  f(a.impulse, b.impulse);
#endif
#if BM_EVOLVING
  BM_UNROLL for (int i = 0; i < EVOLVING; i++) f(a.evolving[i], b.evolving[i]);
#endif
#if BM_AVERAGES
  BM_UNROLL for (int i = 0; i < AVERAGES; i++) f(a.average[i], b.average[i]);
#endif
}

BM_FN Gathered<T> nothing_gathered(const Motion<T>& z) {
  Gathered<T> gathered;
  gathered.length = gathered.increment = T((real)0);
#if BM_GATHERED_IMPULSES
  gathered.impulse = T((real)0);
#endif
#if BM_EVOLVING
  BM_UNROLL for (int i = 0; i < EVOLVING; i++) gathered.evolving[i] = z.evolving[i];
#endif
#if BM_AVERAGES
  BM_UNROLL for (int i = 0; i < AVERAGES; i++) gathered.average[i] = T((real)0);
#endif
  (void)z;
  return gathered;
}

// A fine step, or a part of it. Where the motion damps what it was given (aboba), so does the time until it moves.
template <class X>
BM_FN void gather(Gathered<X>& all, X fraction, X xi, const Numbers<X>& numbers, const Parameters& p) {
#if BM_UNDERDAMPED
  all.increment = all.increment * inertia(fraction, p).decay;
#endif
#if BM_GATHERED_IMPULSES
#if BM_INCREMENTS != BM_NO_INCREMENTS
  all.increment = fma(xi, shrink(fraction, p), all.increment);
#endif
  all.impulse = all.impulse + own_increments(time_of(fraction, p), numbers, p);
#else
  all.increment = with_increments(all.increment, fraction, xi, numbers, p);
#endif
#if BM_EVOLVING
  X average[AVERAGES];
  evolve_noises(all.evolving, average, time_of(fraction, p), numbers, p);
#if BM_AVERAGES
  BM_UNROLL for (int i = 0; i < AVERAGES; i++) all.average[i] = fma(average[i], fraction, all.average[i]);
#endif
#endif
  all.length = all.length + fraction;
}

// What a move takes: in the place of Numbers, see step.h.
template <class X> BM_FN X with_increments(X z, X length, X, const Gathered<X>& gathered, const Parameters& p) {
#if BM_GATHERED_IMPULSES
  z = fma(gathered.impulse, per_increment(length, p), z);
#endif
  (void)length, (void)p;
  return z + gathered.increment;
}
template <class X>
BM_FN void evolve(Motion<X>& z, X* average, X length, const Gathered<X>& gathered, const Parameters&) {
#if BM_EVOLVING
  BM_UNROLL for (int i = 0; i < EVOLVING; i++) z.evolving[i] = gathered.evolving[i];
#endif
#if BM_AVERAGES
  const X per_length = (real)1 / maximum(length, (real)1e-9);  // who stands still has gathered nothing
  BM_UNROLL for (int i = 0; i < AVERAGES; i++) average[i] = gathered.average[i] * per_length;
#endif
  (void)z, (void)average, (void)length, (void)gathered;
}

#if BM_EVENT_NOISES
// Between launches; where all clocks are the same a launch ends after a move.
BM_FN Gathered<T> load_gathered(Trajectories& s, const Motion<T>& z) {
  Gathered<T> gathered = nothing_gathered(z);
  gathered.length = load(s.gathered_steps);
  gathered.increment = load(s.gathered);
#if BM_GATHERED_IMPULSES
  gathered.impulse = load(s.gathered_impulse);
#endif
#if BM_EVOLVING
  BM_UNROLL for (int i = 0; i < EVOLVING; i++) gathered.evolving[i] =
      select(gathered.length > (real)0, load(s.gathered_evolving[i]), gathered.evolving[i]);
#endif
#if BM_AVERAGES
  BM_UNROLL for (int i = 0; i < AVERAGES; i++) gathered.average[i] = load(s.gathered_average[i]);
#endif
  return gathered;
}
BM_FN void save_gathered(Trajectories& s, const Gathered<T>& gathered) {
  store(s.gathered_steps, gathered.length);
  store(s.gathered, gathered.increment);
#if BM_GATHERED_IMPULSES
  store(s.gathered_impulse, gathered.impulse);
#endif
#if BM_EVOLVING
  BM_UNROLL for (int i = 0; i < EVOLVING; i++) store(s.gathered_evolving[i], gathered.evolving[i]);
#endif
#if BM_AVERAGES
  BM_UNROLL for (int i = 0; i < AVERAGES; i++) store(s.gathered_average[i], gathered.average[i]);
#endif
}
#endif
#endif

}  // namespace bmsim_kernel
