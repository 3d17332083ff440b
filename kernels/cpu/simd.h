// One SIMD vector of this machine: its width, and the few operations that the vector extensions of g++ and clang++
// lack. The compiler's intrinsics header is avoided deliberately: it takes longer to parse than a kernel takes to
// compile.
#pragma once
#include "real.h"
#include "words.h"

namespace bmsim_kernel {

#if defined(__AVX512F__) && defined(__AVX512DQ__)
#define BM_VECTOR_BYTES 64
#elif defined(__AVX2__) && defined(__FMA__)
#define BM_VECTOR_BYTES 32
#else  // SSE2, NEON
#define BM_VECTOR_BYTES 16
#endif

constexpr int WIDTH = BM_VECTOR_BYTES / sizeof(real);  // lanes of one vector
typedef real Vec __attribute__((vector_size(BM_VECTOR_BYTES)));
typedef sint IVec __attribute__((vector_size(BM_VECTOR_BYTES)));
typedef uint UVec __attribute__((vector_size(BM_VECTOR_BYTES)));
typedef uint64_t Vec64 __attribute__((vector_size(BM_VECTOR_BYTES)));  // for products of 32-bit words
constexpr int WIDTH64 = BM_VECTOR_BYTES / 8;
typedef float VecF __attribute__((vector_size(BM_VECTOR_BYTES)));
typedef double VecD __attribute__((vector_size(BM_VECTOR_BYTES)));
typedef int VecI __attribute__((vector_size(BM_VECTOR_BYTES)));

BM_FN Vec broadcast(real a) { return a - Vec{}; }
BM_FN UVec broadcast_bits(uint a) { return a - UVec{}; }

template <class To, class From> BM_FN void copy_bytes(To& to, const From& from) {
  __builtin_memcpy((void*)&to, &from, sizeof to);
}
BM_FN double load_global(const double* from) { return *from; }
BM_FN void store_global(double* to, double x) { *to = x; }
template <class X> BM_FN void clear(X& x) { __builtin_memset(&x, 0, sizeof x); }
BM_FN double floor_of(double x) { return __builtin_floor(x); }
BM_FN double not_a_number() { return __builtin_nan(""); }

template <class F> BM_FN Vec each_element(F f) {
  Vec r;
  for (int i = 0; i < WIDTH; i++) r[i] = f(i);
  return r;
}

// fma rounds once everywhere, so that a result does not depend on the vector width. clang has functions of whole
// vectors since version 17, and loses those of its processors one by one.
#ifdef __clang__
#if __has_builtin(__builtin_elementwise_fma) && __has_builtin(__builtin_elementwise_rint)
#define BM_ELEMENTWISE 1
#endif
#endif
#if BM_ELEMENTWISE
BM_FN Vec fma(Vec a, Vec b, Vec c) { return __builtin_elementwise_fma(a, b, c); }
BM_FN Vec rint(Vec x) { return __builtin_elementwise_rint(x); }
#elif BM_VECTOR_BYTES == 64
BM_FN Vec fma(Vec a, Vec b, Vec c) {
  if constexpr (SINGLE)
    return (Vec)__builtin_ia32_vfmaddps512_mask((VecF)a, (VecF)b, (VecF)c, -1, 4);
  else
    return (Vec)__builtin_ia32_vfmaddpd512_mask((VecD)a, (VecD)b, (VecD)c, -1, 4);
}
BM_FN Vec rint(Vec x) {
  if constexpr (SINGLE)
    return (Vec)__builtin_ia32_rndscaleps_mask((VecF)x, 8, (VecF)x, -1, 4);
  else
    return (Vec)__builtin_ia32_rndscalepd_mask((VecD)x, 8, (VecD)x, -1, 4);
}
#elif BM_VECTOR_BYTES == 32
BM_FN Vec fma(Vec a, Vec b, Vec c) {
  if constexpr (SINGLE)
    return (Vec)__builtin_ia32_vfmaddps256((VecF)a, (VecF)b, (VecF)c);
  else
    return (Vec)__builtin_ia32_vfmaddpd256((VecD)a, (VecD)b, (VecD)c);
}
BM_FN Vec rint(Vec x) {
  if constexpr (SINGLE)
    return (Vec)__builtin_ia32_roundps256((VecF)x, 8);
  else
    return (Vec)__builtin_ia32_roundpd256((VecD)x, 8);
}
#elif defined(__aarch64__) && !defined(__clang__)
BM_FN Vec fma(Vec a, Vec b, Vec c) {
  if constexpr (SINGLE)
    return (Vec)__builtin_aarch64_fmav4sf((VecF)a, (VecF)b, (VecF)c);
  else
    return (Vec)__builtin_aarch64_fmav2df((VecD)a, (VecD)b, (VecD)c);
}
BM_FN Vec rint(Vec x) {
  if constexpr (SINGLE)
    return (Vec)__builtin_aarch64_rintv4sf((VecF)x);
  else
    return (Vec)__builtin_aarch64_rintv2df((VecD)x);
}
#else
// Whatever the compiler makes of loops over elements.
BM_FN Vec fma(Vec a, Vec b, Vec c) {
  return each_element([&](int i) {
    return SINGLE ? (real)__builtin_fmaf((float)a[i], (float)b[i], (float)c[i]) : (real)__builtin_fma(a[i], b[i], c[i]);
  });
}
// Adding 1.5 2^mantissa rounds to the nearest integer, ties to even, for |x| < 2^(mantissa - 1).
BM_FN Vec rint(Vec x) {
  const real magic = SINGLE ? (real)12582912.0 : (real)6755399441055744.0;
  return (x + magic) - magic;
}
#endif

BM_FN Vec sqrt(Vec x) {
#if BM_VECTOR_BYTES == 32 && !BM_ELEMENTWISE
  if constexpr (SINGLE)
    return (Vec)__builtin_ia32_sqrtps256((VecF)x);
  else
    return (Vec)__builtin_ia32_sqrtpd256((VecD)x);
#elif defined(__aarch64__) && !defined(__clang__)
  if constexpr (SINGLE)
    return (Vec)__builtin_aarch64_sqrtv4sf((VecF)x);
  else
    return (Vec)__builtin_aarch64_sqrtv2df((VecD)x);
#else
  return each_element([&](int i) { return SINGLE ? (real)__builtin_sqrtf((float)x[i]) : (real)__builtin_sqrt(x[i]); });
#endif
}

// One bit per lane whose sign bit is set.
BM_FN unsigned sign_bits(IVec m) {
#if BM_VECTOR_BYTES == 64
  if constexpr (SINGLE)
    return (unsigned)__builtin_ia32_cvtd2mask512((VecI)m) & 0xffffu;
  else
    return (unsigned)__builtin_ia32_cvtq2mask512((long long __attribute__((vector_size(64))))m) & 0xffu;
#elif BM_VECTOR_BYTES == 32
  if constexpr (SINGLE)
    return (unsigned)__builtin_ia32_movmskps256((VecF)m);
  else
    return (unsigned)__builtin_ia32_movmskpd256((VecD)m);
#else
  unsigned bits = 0;
  for (int i = 0; i < WIDTH; i++) bits |= (unsigned)(m[i] < 0) << i;
  return bits;
#endif
}

// Whether the sign bit of any lane is set.
BM_FN bool any_sign_bit(IVec m) {
#ifdef __aarch64__
  // NEON has no instruction for sign bits: the high halves of the lanes, as one number.
  constexpr int HALF = 4 * sizeof(real);
  typedef Integers<sizeof(real) / 2>::Signed Halves __attribute__((vector_size(BM_VECTOR_BYTES / 2)));
  const Halves high = __builtin_convertvector(m >> HALF, Halves);
  uint64_t bits;
  __builtin_memcpy(&bits, &high, sizeof bits);
  return (bits & (SINGLE ? 0x8000800080008000ull : 0x8000000080000000ull)) != 0;
#else
  return sign_bits(m) != 0;
#endif
}

// Product of the low halves of 64-bit elements, full 64 bits; high halves are ignored.
BM_FN Vec64 multiply_low(Vec64 a, uint32_t k) {
#ifdef __aarch64__
  // NEON has no product of 64-bit elements: compilers would multiply them one by one.
  typedef uint32_t Low __attribute__((vector_size(BM_VECTOR_BYTES / 2)));
  Vec64 product;
  asm("umull %0.2d, %1.2s, %2.2s" : "=w"(product) : "w"(__builtin_convertvector(a, Low)), "w"(k - Low{}));
  return product;
#elif defined(__clang__) || !defined(__x86_64__)
  return (a & (0xffffffffull - Vec64{})) * (uint64_t)k;
#elif BM_VECTOR_BYTES == 64
  return (Vec64)__builtin_ia32_pmuludq512_mask((VecI)a, (VecI)((uint64_t)k - Vec64{}),
                                               (long long __attribute__((vector_size(64)))){}, -1);
#elif BM_VECTOR_BYTES == 32
  return (Vec64)__builtin_ia32_pmuludq256((VecI)a, (VecI)((uint64_t)k - Vec64{}));
#else
  return (Vec64)__builtin_ia32_pmuludq128((VecI)a, (VecI)((uint64_t)k - Vec64{}));
#endif
}

// Bits of each lane.
BM_FN UVec rotate_right(UVec w, int n) { return (w >> n) | (w << ((int)(8 * sizeof(real)) - n)); }

// a[0], b[0], a[1], b[1], ...
BM_FN void interleave(Vec64 a, Vec64 b, Vec64 out[2]) {
#ifdef __clang__
  for (int i = 0; i < WIDTH64; i++) {
    out[2 * i / WIDTH64][2 * i % WIDTH64] = a[i];
    out[2 * i / WIDTH64][2 * i % WIDTH64 + 1] = b[i];
  }
#else
  for (int half = 0; half < 2; half++) {
    Vec64 from;
    for (int i = 0; i < WIDTH64; i++) from[i] = (uint64_t)((half * WIDTH64 + i) / 2 + i % 2 * WIDTH64);
    out[half] = __builtin_shuffle(a, b, from);
  }
#endif
}

// table[index mod WIDTH] per lane.
BM_FN Vec lookup(Vec table, UVec index) {
#ifdef __clang__
  return each_element([&](int i) { return table[index[i] & (WIDTH - 1)]; });
#else
  return __builtin_shuffle(table, (IVec)index);
#endif
}
// The same of a table in N vectors, N a power of 2: value number index mod (N WIDTH).
template <int N> BM_FN Vec lookup(const Vec* table, UVec index) {
#if !defined(__clang__) || BM_VECTOR_BYTES == 64
  if constexpr (N == 2 && WIDTH >= 8) {
#ifndef __clang__
    return __builtin_shuffle(table[0], table[1], (IVec)index);
#else
    if constexpr (SINGLE)
      return (Vec)__builtin_ia32_vpermi2varps512((VecF)table[0], (VecI)index, (VecF)table[1]);
    else
      return (Vec)__builtin_ia32_vpermi2varpd512((VecD)table[0], (long long __attribute__((vector_size(64))))index,
                                                 (VecD)table[1]);
#endif
  }
  if constexpr (N > 2 && WIDTH >= 8) {
    const Vec low = lookup<N / 2>(table, index), high = lookup<N / 2>(table + N / 2, index);
    return (index & broadcast_bits((uint)(N / 2 * WIDTH))) != 0 ? high : low;
  }
#endif
  const real* const values = (const real*)table;
  return each_element([&](int i) { return values[index[i] & (uint)(N * WIDTH - 1)]; });
}

}  // namespace bmsim_kernel
