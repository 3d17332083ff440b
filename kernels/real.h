// The number that a kernel computes with, and the integers of its size.
#pragma once
#include "integers.h"
#include "settings.h"

namespace bmsim_kernel {

typedef BM_REAL real;
constexpr bool SINGLE = sizeof(real) == 4;
constexpr real TINY = (real)(SINGLE ? 1e-30 : 1e-200);  // in place of 0, by which something is divided
template <int Bytes> struct Integers;
template <> struct Integers<2> { typedef short Signed; };
template <> struct Integers<4> {
  typedef int32_t Signed;
  typedef uint32_t Unsigned;
};
template <> struct Integers<8> {
  typedef int64_t Signed;
  typedef uint64_t Unsigned;
};
typedef Integers<sizeof(real)>::Signed sint;
typedef Integers<sizeof(real)>::Unsigned uint;

}  // namespace bmsim_kernel
