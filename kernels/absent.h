// A member that this kernel does not have. It takes no memory, reads as 0, and ignores what is written to it, so that
// code for all kernels may name it.
#pragma once
#include "special.h"

namespace bmsim_kernel {

struct Absent {
  BM_FN_MEMBER constexpr operator real() const { return 0; }
  BM_FN_MEMBER constexpr const Absent& operator[](int) const { return *this; }
  template <class X> BM_FN_MEMBER constexpr const Absent& operator=(const X&) const { return *this; }
  template <class X> BM_FN_MEMBER constexpr const Absent& operator+=(const X&) const { return *this; }
};
BM_FN T load(const Absent&) { return T((real)0); }
template <class X> BM_FN void store(const Absent&, const X&) {}
BM_FN Absent part(const Absent&, int) { return {}; }
BM_FN void add_part(const Absent&, int, const Part&) {}
BM_FN real get_lane(const Absent&, int) { return 0; }
BM_FN void set_lane(const Absent&, int, real) {}

}  // namespace bmsim_kernel
