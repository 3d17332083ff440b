// The value type T on a GPU, one number per thread: the dialect of bmsim/plugin.h, and the group of one lane for the
// common kernel text.
#pragma once
#include "real.h"
#include "words.h"

// Inside a namespace, so that these take precedence over library functions of the same names.
namespace bmsim_kernel {

constexpr int GROUP = 1, WIDTH = 1, LANES = 1, PARTS = 1;
typedef real T;
typedef real Part;

template <class To, class From> BM_FN void copy_bytes(To& to, const From& from) {
  memcpy((void*)&to, &from, sizeof to);
}
// Numbers in the device's global memory; writing them this way, the compiler knows that shared memory does not change.
BM_FN double load_global(const double* from) {
  double x;
  asm volatile("ld.global.nc.f64 %0, [%1];" : "=d"(x) : "l"(from));
  return x;
}
BM_FN void store_global(double* to, double x) { asm volatile("st.global.f64 [%0], %1;" ::"l"(to), "d"(x)); }
template <class X> BM_FN void clear(X& x) { memset(&x, 0, sizeof x); }
BM_FN double floor_of(double x) { return ::floor(x); }
BM_FN double not_a_number() { return __longlong_as_double(0x7ff8000000000000ll); }
BM_FN real select(bool m, real a, real b) { return m ? a : b; }
BM_FN bool any(bool m) { return m; }
BM_FN bool any_negative(real a) { return a < 0; }
BM_FN bool any_below(real a, real low) { return a < low; }
BM_FN bool any_outside(real a, real low, real b, real high) { return (b >= high) | (a <= low); }
BM_FN float fma(float a, float b, float c) { return __fmaf_rn(a, b, c); }
BM_FN double fma(double a, double b, double c) { return __fma_rn(a, b, c); }
// Adding 1.5 2^mantissa rounds to the nearest integer, ties to even, for |x| < 2^(mantissa - 1). These are two
// additions; the instruction for rounding has an eighth of their rate.
BM_FN float rint(float x) { return __fadd_rn(__fadd_rn(x, 12582912.0f), -12582912.0f); }
BM_FN double rint(double x) { return __dadd_rn(__dadd_rn(x, 6755399441055744.0), -6755399441055744.0); }
BM_FN float sqrt(float x) {
  float r;
  asm("sqrt.approx.ftz.f32 %0, %1;" : "=f"(r) : "f"(x));
  return r;
}
BM_FN double sqrt(double x) { return __dsqrt_rn(x); }
BM_FN float absolute(float x) { return ::fabsf(x); }
BM_FN double absolute(double x) { return ::fabs(x); }
BM_FN float copysign(float a, float b) { return ::copysignf(a, b); }
BM_FN double copysign(double a, double b) { return ::copysign(a, b); }
BM_FN float minimum(float a, float b) { return ::fminf(a, b); }
BM_FN float maximum(float a, float b) { return ::fmaxf(a, b); }
BM_FN double minimum(double a, double b) { return ::fmin(a, b); }
BM_FN double maximum(double a, double b) { return ::fmax(a, b); }
BM_FN float floor(float x) { return ::floorf(x); }
BM_FN double floor(double x) { return ::floor(x); }

// The same for plain numbers of any type as arguments: with a T the result is a T.
template <class A, class B> struct Same { static constexpr bool yes = false; };
template <class A> struct Same<A, A> { static constexpr bool yes = true; };
template <bool, class A, class> struct Choice { typedef A Type; };
template <class A, class B> struct Choice<false, A, B> { typedef B Type; };
template <class... A>
using Common = typename Choice<!(Same<A, real>::yes || ...) && (Same<A, double>::yes || ...), double, real>::Type;
#define BM_OF_NUMBER(f) \
  template <class A> BM_FN real f(A x) { return f((real)x); }
BM_OF_NUMBER(rint)
BM_OF_NUMBER(sqrt)
BM_OF_NUMBER(absolute)
BM_OF_NUMBER(floor)
#undef BM_OF_NUMBER
#define BM_OF_NUMBERS(f) \
  template <class A, class B> BM_FN Common<A, B> f(A a, B b) { return f((Common<A, B>)a, (Common<A, B>)b); }
BM_OF_NUMBERS(minimum)
BM_OF_NUMBERS(maximum)
BM_OF_NUMBERS(copysign)
#undef BM_OF_NUMBERS
template <class A, class B, class C> BM_FN Common<A, B, C> fma(A a, B b, C c) {
  return fma((Common<A, B, C>)a, (Common<A, B, C>)b, (Common<A, B, C>)c);
}

template <class X> struct Slot {
  X value;
  BM_FN_MEMBER X& operator[](int) { return value; }
};
BM_FN real load(const Slot<real>& slot) { return slot.value; }
BM_FN void store(Slot<real>& slot, real a) { slot.value = a; }
BM_FN real part(real a, int) { return a; }
BM_FN bool part(bool a, int) { return a; }
BM_FN void set_part(real& a, int, real b) { a = b; }
BM_FN real get_lane(real a, int) { return a; }
BM_FN void set_lane(real& a, int, real x) { a = x; }
BM_FN void add_part(Slot<double>& sum, int, real a) { sum.value += (double)a; }
// Adds to a sum that other threads add to as well.
BM_FN void add_shared(int64_t* sum, int64_t x) { atomicAdd((uint64_t*)sum, (uint64_t)x); }
BM_FN bool group_any(bool more) { return __any_sync(0xffffffffu, more); }
// x/y where y and the quotient are normal numbers, or x is 0: the bits of a division. One in double precision has a
// branch to a function for all others, which takes registers from all that is around it.
BM_FN float normal_quotient(float x, float y) { return x / y; }
BM_FN double normal_quotient(double x, double y) {
  double approximate;
  asm("rcp.approx.ftz.f64 %0, %1;" : "=d"(approximate) : "d"(y));
  const double seed = __hiloint2double(__double2hiint(approximate), 1);
  const double error = __fma_rn(-y, seed, 1.0);
  const double first = __fma_rn(seed, __fma_rn(error, error, error), seed);
  const double inverse = __fma_rn(first, __fma_rn(-y, first, 1.0), first);
  const double q = __dmul_rn(x, inverse);
  return __fma_rn(inverse, __fma_rn(-y, q, x), q);
}
template <class F> BM_FN void each_lane(bool m, F f) {
  if (m) f(0);
}

}  // namespace bmsim_kernel
