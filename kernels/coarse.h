// Coarse steps on the noise of fine ones. A coarse run has the clocks, events and random numbers of a fine one, all
// counted in fine steps. But its paths move only after every second step, by what the two steps have gathered. Coarse
// and fine paths therefore differ only by the error of the step.
#pragma once
#include "step.h"

namespace bmsim_kernel {

BM_FN Gathered<T> nothing_gathered([[maybe_unused]] const Motion<T>& z) {
  Gathered<T> gathered;
  each_member(gathered, gathered, [](T& a, T&) { a = T((real)0); });
  for (int i = 0; i < BM_EVOLVING; i++) gathered.evolving[i] = z.evolving[i];
  return gathered;
}

// Adds a fine step, or a part of it. If the motion damps the increments (aboba), so does the time until it moves.
template <class X>
BM_FN void gather(Gathered<X>& all, X fraction, const White<X>& white, const Numbers<X>& numbers, const Parameters& p) {
  X xi[VARIABLES];
  white_increments(white, p, xi);
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    if (is_inertial(i)) all.increment[i] = all.increment[i] * inertia(fraction, p.variable[i], p).decay;
    if constexpr (BM_GATHERED_IMPULSES) {
      if constexpr (BM_INCREMENTS != BM_NO_INCREMENTS)
        all.increment[i] = fma(xi[i], shrink(i, fraction, p), all.increment[i]);
      all.impulse[i] = all.impulse[i] + own_increments(i, time_of(fraction, p), numbers, p);
    } else {
      all.increment[i] = with_increments(i, all.increment[i], fraction, xi[i], numbers, p);
    }
  }
  if constexpr (BM_MULTIPLIED) {
    const White<X> sources = of_step(white, fraction);
    BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) all.source[k] = all.source[k] + sources.of[k];
  }
  if constexpr (BM_EVOLVING > 0) {
    X average[AVERAGES];
    evolve_noises(all.evolving, average, time_of(fraction, p), numbers, p);
    BM_UNROLL for (int i = 0; i < BM_AVERAGES; i++) all.average[i] = fma(average[i], fraction, all.average[i]);
  }
  all.length = all.length + fraction;
}

// A move takes Gathered in place of White and Numbers, see step.h.
template <class X> BM_FN void white_increments(const Gathered<X>&, const Parameters&, X (&xi)[VARIABLES]) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) xi[i] = X((real)0);
}
template <class X> BM_FN White<X> of_step(const Gathered<X>& gathered, X) {
  White<X> white;
  BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) white.of[k] = gathered.source[k];
  return white;
}
template <class X> BM_FN X with_increments(int i, X z, X length, X, const Gathered<X>& gathered, const Parameters& p) {
  if constexpr (BM_GATHERED_IMPULSES) z = fma(gathered.impulse[i], per_increment(i, length, p), z);
  return z + gathered.increment[i];
}
template <class X>
BM_FN void evolve(Motion<X>& z, X* average, X length, const Gathered<X>& gathered, const Parameters&) {
  BM_UNROLL for (int i = 0; i < BM_EVOLVING; i++) z.evolving[i] = gathered.evolving[i];
  const X per_length = (real)1 / maximum(length, (real)1e-9);  // a trajectory that stands still has gathered nothing
  BM_UNROLL for (int i = 0; i < BM_AVERAGES; i++) average[i] = gathered.average[i] * per_length;
}

// Kept between launches for models with events. On a common clock a launch ends after a move.
BM_FN Gathered<T> load_gathered(Trajectories& s, const Motion<T>& z) {
  Gathered<T> gathered = nothing_gathered(z);
  gathered.length = load(s.gathered_steps);
  for (int i = 0; i < VARIABLES; i++) gathered.increment[i] = load(s.gathered[i]);
  for (int k = 0; k < BM_SOURCES; k++) gathered.source[k] = load(s.gathered_source[k]);
  for (int i = 0; i < VARIABLES; i++) gathered.impulse[i] = load(s.gathered_impulse[i]);
  for (int i = 0; i < BM_EVOLVING; i++)
    gathered.evolving[i] = select(gathered.length > (real)0, load(s.gathered_evolving[i]), T(gathered.evolving[i]));
  for (int i = 0; i < BM_AVERAGES; i++) gathered.average[i] = load(s.gathered_average[i]);
  return gathered;
}
BM_FN void save_gathered(Trajectories& s, const Gathered<T>& gathered) {
  store(s.gathered_steps, gathered.length);
  for (int i = 0; i < VARIABLES; i++) store(s.gathered[i], gathered.increment[i]);
  for (int k = 0; k < BM_SOURCES; k++) store(s.gathered_source[k], gathered.source[k]);
  for (int i = 0; i < VARIABLES; i++) store(s.gathered_impulse[i], gathered.impulse[i]);
  for (int i = 0; i < BM_EVOLVING; i++) store(s.gathered_evolving[i], gathered.evolving[i]);
  for (int i = 0; i < BM_AVERAGES; i++) store(s.gathered_average[i], gathered.average[i]);
}

}  // namespace bmsim_kernel
