// Phases and outside influences of a trajectory on its own clock (own_clocks.h, adaptive_clock.h), at its own time.
#pragma once
#include "step.h"

namespace bmsim_kernel {

// Phases of drives; nothing in models without: a step copies it.
template <class X, bool HAS> struct Phases {
  X phase[PHASES];
  BM_FN_MEMBER const X* phases() const { return phase; }
};
template <class X> struct Phases<X, false> {
  BM_FN_MEMBER const real* phases() const { return 0; }
};
template <class X> struct Local : Phases<X, (BM_PHASES > 0)> {
  Outside<X> outside;  // at that time
};
template <class A, class B, class F> BM_FN void each_member(Local<A>& a, const Local<B>& b, F f) {
  if constexpr (BM_PHASES > 0) BM_UNROLL for (int k = 0; k < BM_PHASES; k++) f(a.phase[k], b.phase[k]);
  each_member(a.outside, b.outside, f);
}

// At the beginning of a block; clock(l): clock of trajectory l, in steps. Without phases nothing changes with time.
template <class X, class F>
BM_FN void begin_local(Local<X>& local, const Launch& launch, const Parameters& p, F clock) {
  if constexpr (BM_PHASES > 0) {
    BM_UNROLL for (int k = 0; k < BM_PHASES; k++) {
      Slot<real> phase;
      for (int l = 0; l < LANES; l++) phase[l] = phase_at(p, k, clock(l));
      local.phase[k] = load(phase);
      if constexpr (BM_RANDOM_PHASES) {
        draw_phases(launch, k, phase);
        local.phase[k] = local.phase[k] + load(phase);
      }
    }
    local.outside = outside_at(local.phase, p);
  }
}
BM_FN Local<T> constant_local(const Parameters& p) {
  Local<T> local{};
  if constexpr (BM_PHASES == 0) local.outside = outside_at((const T*)0, p);
  return local;
}

// Phases that amplitudes of kicks read, of lane `lane`.
template <class X>
BM_FN void set_phases([[maybe_unused]] Place& place, [[maybe_unused]] const Local<X>& local,
                      [[maybe_unused]] int lane) {
  if constexpr (BM_KICK_PHASES)
    BM_UNROLL for (int k = 0; k < BM_POTENTIAL_PHASES; k++) place.phase[k] = get_lane(local.phase[k], lane);
}

// Advances a trajectory and its clock by a step.
template <class X, class L, class W, class N, class D>
BM_FN void advance(Motion<X>& z, Local<X>& local, L length, const W& white, const N& numbers,
                   const PerVariable<D>& drift, const Factors<X>& factors, const Parameters& p) {
  if constexpr (BM_PHASES > 0) {
    Outside<X> before = local.outside;
    const auto turned = [&](const X& phase, int k, real part) {
      return advanced(phase, length, (real)p.phase_per_step[k] * part);
    };
    if constexpr (BM_METHOD == BM_ABOBA) {
      X middle[PHASES];
      BM_UNROLL for (int k = 0; k < BM_PHASES; k++) middle[k] = turned(local.phase[k], k, (real)0.5);
      before = outside_at(middle, p);
      local.outside = before;
    }
    BM_UNROLL for (int k = 0; k < BM_PHASES; k++) local.phase[k] = turned(local.phase[k], k, (real)1);
    if constexpr (BM_METHOD != BM_ABOBA) local.outside = outside_at(local.phase, p);
    make_step(z, length, white, numbers, drift, factors, before, local.outside, p);
  } else {
    make_step(z, length, white, numbers, drift, factors, local.outside, local.outside, p);
  }
}

}  // namespace bmsim_kernel
