// exp, log, sin(2 pi x), cos(2 pi x) on any T: minimax polynomials, relative error below 1e-7 in single and 4e-16 in
// double precision.
#pragma once
#include "group.h"

namespace bmsim_kernel {

// One polynomial in either precision: the coefficients from the highest power down.
template <class X> BM_FN X horner(X, X sum) { return sum; }
template <class X, class... C> BM_FN X horner(X q, X sum, real c, C... rest) {
  return horner(q, fma(sum, q, X(c)), rest...);
}

// sin(2 pi z) on [-1/4, 1/4]
template <class X> BM_FN X sin_quarter(X z) {
  const X q = z * z;
  if constexpr (SINGLE)
    return z * horner(q, X((real)39.759827), (real)-76.581173, (real)81.602476, (real)-41.341681, (real)6.2831853);
  else
    return z * horner(q, X((real)0.10089695501646811163), (real)-0.71773379214134533133, (real)3.8199280942271642021,
                      (real)-15.094641676117900093, (real)42.05869392542868225, (real)-76.705859752824919209,
                      (real)81.605249276073615183, (real)-41.341702240399756862, (real)6.2831853071795864756);
}

// Of r in [-1/2, 1/2] turns.
template <class X> BM_FN X sin_of_turn(X r) {
  const X a = absolute(r);
  return sin_quarter(copysign(minimum(a, (real)0.5 - a), r));
}
template <class X> BM_FN X cos_of_turn(X r) { return sin_quarter((real)0.25 - absolute(r)); }
template <class X> BM_FN X sin2pi(X x) { return sin_of_turn(x - rint(x)); }
template <class X> BM_FN X cos2pi(X x) { return cos_of_turn(x - rint(x)); }

// Numbers as integers and back, to take exponents apart. For groups of lanes see cpu/special.h.
BM_FN uint bits_of(real x) {
  uint r;
  copy_bytes(r, x);
  return r;
}

constexpr int MANTISSA = SINGLE ? 23 : 52;
constexpr uint SQRT_HALF_BITS = SINGLE ? (uint)0x3f3504f3u : (uint)0x3fe6a09e667f3bcdull;

// x = m 2^e with m in [1/sqrt 2, sqrt 2)
BM_FN void split(real x, real& m, real& e) {
  const sint k = (sint)(bits_of(x) - SQRT_HALF_BITS) >> MANTISSA;
  const uint b = bits_of(x) - ((uint)k << MANTISSA);
  copy_bytes(m, b);
  e = (real)k;
}
// 2^n for integer n in the range of normal numbers
BM_FN real power_of_two(real n) {
  const uint b = (uint)((sint)n + (SINGLE ? 127 : 1023)) << MANTISSA;
  real r;
  copy_bytes(r, b);
  return r;
}

// Natural logarithm of a positive normal number.
template <class X> BM_FN X log(X x) {
  X m, e;
  split(x, m, e);
  const X below = m - (real)1, above = m + (real)1, s = normal_quotient(below, above), q = s * s;
  X p;
  if constexpr (SINGLE)
    p = horner(q, X((real)0.29924391), (real)0.39974851, (real)0.66666815, (real)2.0);
  else
    p = horner(q, X((real)0.14809710360655276698), (real)0.15312528148364190966, (real)0.18183631680229328804,
               (real)0.22222197056726046608, (real)0.28571428760641679883, (real)0.39999999999302338113,
               (real)0.66666666666667645658, (real)2.0);
  return fma(e, (real)0.69314718055994530942, s * p);
}

// x/y for y from 1e-37 to 1e37, and 1/sqrt(x) for such x: on a GPU other numbers would take most of the work.
template <class X> BM_FN X quotient(const X& x, const X& y) { return x / y; }
template <class X> BM_FN X reciprocal(const X& x) { return (real)1 / x; }
template <class X> BM_FN X inverse_root(const X& x) { return (real)1 / sqrt(x); }

// exp(x): 0 if the result is below the normal numbers; x above 88 (709) counts as 88 (709).
template <class X> BM_FN X exp(X x) {
  x = minimum(x, (real)(SINGLE ? 88.0 : 709.0));
  const auto tiny = x < (real)(SINGLE ? -87.0 : -708.0);
  const X n = rint(x * (real)1.4426950408889634074);
  // x - n log 2 in two parts, in units of log 2
  X f = fma(n, (real)(SINGLE ? -0.693359375 : -0.693147180369123816490), x);
  f = fma(n, (real)(SINGLE ? 2.12194440e-4 : -1.90821492927058770002e-10), f) * (real)1.4426950408889634074;
  X p;
  if constexpr (SINGLE)
    p = horner(f, X((real)1.5461444e-4), (real)1.3400428e-3, (real)9.6180567e-3, (real)5.5503272e-2, (real)0.24022651,
               (real)0.69314721, (real)1.0);
  else
    p = horner(f, X((real)4.455817908336064493e-10), (real)7.0741942972885210056e-9, (real)1.0178057087733941105e-7,
               (real)1.3215432535912376166e-6, (real)0.000015252733841556772589, (real)0.00015403530463724354209,
               (real)0.0013333558146406470697, (real)0.0096181291075872566681, (real)0.055504108664821627039,
               (real)0.24022650695910159567, (real)0.69314718055994530925, (real)1.0);
  return select(tiny, X((real)0), p * power_of_two(n));
}

// Angle of the point (x, y), in (-pi, pi]; 0 at the origin.
template <class X> BM_FN X atan2(X y, X x) {
  const X ax = absolute(x), ay = absolute(y), least = minimum(ax, ay), most = maximum(ax, ay);
  // atan(z) for z = least/most up to tan(pi/8); beyond, pi/4 + atan((z - 1)/(z + 1))
  const auto steep = least > most * (real)0.41421356237309504880;
  const X z = select(steep, least - most, least) / maximum(select(steep, least + most, most), (real)1e-37), q = z * z;
  X p;
  if constexpr (SINGLE)
    p = horner(q, X((real)0.079760417), (real)-0.13848415, (real)0.19974075, (real)-0.33332786, (real)0.99999998);
  else
    p = horner(q, X((real)-0.017803896394812563193), (real)0.037963903161110833033, (real)-0.050350497953124393166,
               (real)0.058468667522751389837, (real)-0.06662950246036791267, (real)0.07692045194561481467,
               (real)-0.090908968014728134434, (real)0.11111110744657099602, (real)-0.14285714279244968487,
               (real)0.19999999999940837328, (real)-0.33333333333333120948, (real)1);
  X angle = fma(z, p, select(steep, X((real)0.78539816339744830962), X((real)0)));
  angle = select(ay > ax, (real)1.5707963267948966192 - angle, angle);
  return copysign(select(x < (real)0, (real)3.1415926535897932385 - angle, angle), y);
}
// The same where one of both is a constant, and so of a simpler type.
template <class Y, class X> BM_FN auto atan2(Y y, X x) {
  typedef decltype(y + x) Z;
  return atan2<Z>(Z(y), Z(x));
}

// The same for plain numbers of any type.
#if BM_SINGLE
#define BM_OF_NUMBER(f)                            \
  BM_FN real f(int x) { return f<real>((real)x); } \
  BM_FN real f(double x) { return f<real>((real)x); }
#else
#define BM_OF_NUMBER(f) \
  BM_FN real f(int x) { return f<real>((real)x); }
#endif
BM_OF_NUMBER(sin2pi)
BM_OF_NUMBER(cos2pi)
BM_OF_NUMBER(log)
BM_OF_NUMBER(exp)

// A unit normal from a uniform number on (0, 1) and a unit exponential (Box, Muller).
template <class X, class Y> BM_FN auto normal(X u, Y e) { return sqrt(e + e) * cos2pi(u); }

// Quantile of the unit normal law at u, on (0, 1): rational approximations of relative error 1.2e-9 (P. J. Acklam,
// 2003). The middle one is written in powers of c = 1/4 - (u - 1/2)^2, in which all coefficients have one sign, so that
// nothing cancels in single precision.
template <class X> BM_FN X normal_quantile(X u) {
  const X tail = minimum(u, (real)1 - u), q = u - (real)0.5, c = tail * ((real)1 - tail);
  const X middle = q *
                   horner(c, X((real)39.69683028665376), (real)171.3250605662033, (real)79.7929309516068,
                          (real)8.063526208948012, (real)0.18871540632296624, (real)0.0007095380368484531) /
                   horner(c, X((real)54.47609879822406), (real)93.49071336026083, (real)28.160704750735736,
                          (real)2.1098753773475982, (real)0.03845583377985492, (real)0.00011040444440595703);
  const X s = sqrt(log(maximum(tail, (real)1e-37)) * (real)-2);
  const X outer = horner(s, X((real)-0.007784894002430293), (real)-0.3223964580411365, (real)-2.400758277161838,
                         (real)-2.549732539343734, (real)4.374664141464968, (real)2.938163982698783) /
                  horner(s, X((real)0.007784695709041462), (real)0.3224671290700398, (real)2.445134137142996,
                         (real)3.754408661907416, (real)1.0);
  return select(tail < (real)0.02425, copysign(outer, q), middle);
}
BM_OF_NUMBER(normal_quantile)
#undef BM_OF_NUMBER

}  // namespace bmsim_kernel
