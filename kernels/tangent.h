// A tangent vector, z.tangent, for counters that ask for one (LINEARISES): infinitely small differences between two
// paths with the same noise, of positions in units of L and then of velocities. Steps are made in dual numbers then,
// whose slopes it is: so it follows the derivative of the scheme itself, amplitudes of noise included.
#pragma once
#include "counters.h"
#include "integrators.h"

namespace bmsim_kernel {

template <class X, bool DUAL> struct StateNumbers { typedef X Type; };
template <class X> struct StateNumbers<X, true> { typedef Dual<X> Type; };
template <class X> using StateNumber = typename StateNumbers<X, Counters::LINEARISES>::Type;

// Positions and velocities with their slopes; nothing without a tangent vector.
template <class X> BM_FN auto with_tangent([[maybe_unused]] const Motion<X>& z) {
  if constexpr (Counters::LINEARISES) {
    Stage<Dual<X>> state;
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) state.u[i] = {z.u[i], z.tangent[i]};
    BM_UNROLL for (int k = 0; k < VELOCITIES; k++) state.v[k] = Dual<X>(X(z.v[k]), z.tangent[VARIABLES + k]);
    return state;
  } else {
    return Absent();
  }
}
// What an integrator moves.
template <class X> BM_FN Motion<X>& moved(Motion<X>& z, const Absent&) { return z; }
template <class X> BM_FN Stage<Dual<X>>& moved(Motion<X>&, Stage<Dual<X>>& state) { return state; }
template <class X> BM_FN void take_over(Motion<X>&, const Absent&) {}
template <class X> BM_FN void take_over(Motion<X>& z, const Stage<Dual<X>>& state) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) z.u[i] = state.u[i].value, z.tangent[i] = state.u[i].slope;
  BM_UNROLL for (int k = 0; k < VELOCITIES; k++) {
    z.v[k] = state.v[k].value;
    z.tangent[VARIABLES + k] = state.v[k].slope;
  }
}

}  // namespace bmsim_kernel
