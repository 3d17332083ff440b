// What acts on a trajectory from outside at one time, beside white noise: drives, coloured noises, and what multiplies
// or moves the potential. Members that the model does not need are not there.
#pragma once
#include "model.h"

namespace bmsim_kernel {

template <class X> struct Outside {
#if BM_FORCED
  X force;
#endif
#if BM_MODULATED
  X amplitude;  // of the potential: 1 + what modulates it
#endif
#if BM_POTENTIAL_PHASES
  X phase[BM_POTENTIAL_PHASES];  // of a potential that depends on time
#endif
};

// f(member of a, member of b) for every member.
template <class A, class B, class F> BM_FN void each_member(Outside<A>& a, const Outside<B>& b, F f) {
#if BM_FORCED
  f(a.force, b.force);
#endif
#if BM_MODULATED
  f(a.amplitude, b.amplitude);
#endif
#if BM_POTENTIAL_PHASES
  BM_UNROLL for (int i = 0; i < BM_POTENTIAL_PHASES; i++) f(a.phase[i], b.phase[i]);
#endif
  (void)a, (void)b, (void)f;
}

// The constant force and what is added to it.
template <class D, class O> BM_FN auto with_force(D drift, const O& outside) {
#if BM_DRIFT_OUTSIDE
  (void)drift;
  return outside.force;
#elif BM_FORCED
  return drift + outside.force;
#else
  (void)outside;
  return drift;
#endif
}

// Time in turns of phase k after so many steps, reduced to [0, 1) in double so that it does not lose digits in long
// runs; or the time itself.
BM_FN real turn(double turns_per_step, double steps) {
  const double t = turns_per_step * steps;
  return (real)(t - floor_of(t));
}
#if BM_PHASES
BM_FN real phase_at(const Parameters& p, int k, double steps) {
  return PHASES_WRAP >> k & 1 ? turn(p.phase_per_step[k], steps) : (real)(p.phase_per_step[k] * steps);
}
// What phase k gains in a step as it is moved.
BM_FN real step_width(const Parameters& p, int k) { return (real)p.phase_per_step[k] * (real)(BM_COARSE ? 2 : 1); }
#if BM_RANDOM_PHASES
// Where phase k of every trajectory begins.
BM_FN void draw_phases(const Launch& launch, int k, Slot<real>& begins) {
  if (PHASES_WRAP >> k & 1)
    draw_uniforms(launch.seed, STREAM_PHASE, (uint32_t)k, launch.trajectory, begins);
  else
    for (int l = 0; l < LANES; l++) begins[l] = 0;
}
#endif
#endif

}  // namespace bmsim_kernel
