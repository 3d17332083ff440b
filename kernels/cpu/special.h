// Exponents of a group of numbers, which log and exp (math.h) take apart and put together.
#pragma once
#include "math.h"

namespace bmsim_kernel {

template <int G> BM_FN void split(Lanes<G> x, Lanes<G>& m, Lanes<G>& e) {
  BM_EACH {
    const IVec k = (IVec)((UVec)x.v[i] - SQRT_HALF_BITS) >> MANTISSA;
    m.v[i] = (Vec)((UVec)x.v[i] - ((UVec)k << MANTISSA));
    e.v[i] = __builtin_convertvector(k, Vec);
  }
}

template <int G> BM_FN Lanes<G> power_of_two(Lanes<G> n) {
  BM_EACH n.v[i] = (Vec)((UVec)(__builtin_convertvector(n.v[i], IVec) + (sint)(SINGLE ? 127 : 1023)) << MANTISSA);
  return n;
}

}  // namespace bmsim_kernel
