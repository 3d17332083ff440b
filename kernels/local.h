// What a trajectory on its own clock (own_clocks.h, adaptive_clock.h) is under at its own time.
#pragma once
#include "step.h"

namespace bmsim_kernel {

#if BM_COUNTDOWNS

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

// At the beginning of a block; clock(l): steps on the clock of trajectory l. Without phases it is the same at all
// times.
template <class F> BM_FN void begin_local(Local<T>& local, const Launch& launch, const Parameters& p, F clock) {
#if BM_PHASES
  BM_UNROLL for (int k = 0; k < BM_PHASES; k++) {
    Slot<real> phase;
    for (int l = 0; l < LANES; l++) phase[l] = phase_at(p, k, clock(l));
    local.phase[k] = load(phase);
#if BM_RANDOM_PHASES
    draw_phases(launch, k, phase);
    local.phase[k] = local.phase[k] + load(phase);
#endif
  }
  local.outside = outside_at(local.phase, p);
#endif
  (void)local, (void)launch, (void)p, (void)clock;
}
BM_FN Local<T> constant_local(const Parameters& p) {
  Local<T> local{};
#if !BM_PHASES
  local.outside = outside_at((const T*)0, p);
#endif
  (void)p;
  return local;
}

// A step of a trajectory and of its clock.
template <class X, class L, class N, class D, class A>
BM_FN void advance(Motion<X>& z, Local<X>& local, L length, X xi, const N& numbers, D drift, A amplitude,
                   const Parameters& p) {
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

// What a jump moves.
template <class X> BM_FN X& moved(Motion<X>& z) {
#if BM_UNDERDAMPED
  return z.v;
#else
  return z.u;
#endif
}
#endif

}  // namespace bmsim_kernel
