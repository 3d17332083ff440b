// A group of trajectories in memory and in registers, and its parts and lanes: since events are rare, only the vectors
// that have one are stepped again.
#pragma once
#include "lanes.h"

namespace bmsim_kernel {

// One number per trajectory in memory, and its group of lanes.
template <class X> struct Slot {
  X lane[LANES];
  BM_FN_MEMBER X& operator[](int l) { return lane[l]; }
};
BM_FN Lanes<GROUP> load(const Slot<real>& slot) {
  Lanes<GROUP> r;
  for (int i = 0; i < GROUP; i++) __builtin_memcpy(&r.v[i], slot.lane + i * WIDTH, sizeof(Vec));
  return r;
}
BM_FN void store(Slot<real>& slot, const Lanes<GROUP>& a) {
  for (int i = 0; i < GROUP; i++) __builtin_memcpy(slot.lane + i * WIDTH, &a.v[i], sizeof(Vec));
}

typedef Lanes<GROUP> T;
typedef Lanes<1> Part;
constexpr int PARTS = GROUP;
BM_FN Part part(const T& a, int i) {
  Part r;
  r.v[0] = a.v[i];
  return r;
}
BM_FN Mask<1> part(const Mask<GROUP>& a, int i) { return {{a.m[i]}}; }
BM_FN real part(real a, int) { return a; }
BM_FN void set_part(T& a, int i, const Part& b) { a.v[i] = b.v[0]; }
BM_FN real get_lane(const Part& a, int lane) { return a.v[0][lane]; }
BM_FN void set_lane(Part& a, int lane, real x) {
  IVec number;
  for (int i = 0; i < WIDTH; i++) number[i] = i;
  a.v[0] = (number == (IVec)broadcast_bits((uint)lane)) ? broadcast(x) : a.v[0];
}
BM_FN void store_part(real* to, const Part& a) { __builtin_memcpy(to, &a.v[0], sizeof(Vec)); }
BM_FN void add_part(Slot<double>& sum, int g, const Part& a) {
  constexpr int NUMBERS64 = WIDTH64, VECTORS = WIDTH / WIDTH64;  // compilers convert no longer vectors at once
  typedef real Some __attribute__((vector_size(NUMBERS64 * sizeof(real))));
  Some x[VECTORS];
  store_part((real*)x, a);
  for (int i = 0; i < VECTORS; i++) {
    VecD total;
    double* const at = sum.lane + g * WIDTH + i * NUMBERS64;
    __builtin_memcpy(&total, at, sizeof total);
    total += __builtin_convertvector(x[i], VecD);
    __builtin_memcpy(at, &total, sizeof total);
  }
}
// Adds to a sum that other threads add to as well.
BM_FN void add_shared(int64_t* sum, int64_t x) { __atomic_fetch_add(sum, x, __ATOMIC_RELAXED); }
BM_FN bool group_any(bool more) { return more; }
template <class T> BM_FN T normal_quotient(const T& x, const T& y) { return x / y; }
// Calls f(lane) for every lane of the mask.
template <class F> BM_FN void each_lane(Mask<1> m, F f) {
  for (unsigned bits = sign_bits(m.m[0]); bits != 0; bits &= bits - 1) f(__builtin_ctz(bits));
}

}  // namespace bmsim_kernel
