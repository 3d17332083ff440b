// The value type T on the CPU: Lanes<G>, a group of G vectors on which every operation is done vector by vector, so
// that G independent chains of instructions hide each other's latency. The dialect of bmsim/plugin.h, for Lanes and for
// real.
#pragma once
#include "simd.h"

namespace bmsim_kernel {

constexpr int GROUP = BM_GROUP;       // vectors of a group
constexpr int LANES = WIDTH * GROUP;  // trajectories of a group

template <int G> struct Lanes {
  Vec v[G];
  Lanes() = default;
  BM_FN_MEMBER Lanes(real a) {
    for (int i = 0; i < G; i++) v[i] = broadcast(a);
  }
};
template <int G> struct Mask { IVec m[G]; };
template <int G> struct Words { UVec w[G]; };

#define BM_EACH for (int i = 0; i < G; i++)
#define BM_OPERATOR(op)                                                 \
  template <int G> BM_FN Lanes<G> operator op(Lanes<G> a, Lanes<G> b) { \
    BM_EACH a.v[i] = a.v[i] op b.v[i];                                  \
    return a;                                                           \
  }                                                                     \
  template <int G> BM_FN Lanes<G> operator op(Lanes<G> a, real b) {     \
    BM_EACH a.v[i] = a.v[i] op b;                                       \
    return a;                                                           \
  }                                                                     \
  template <int G> BM_FN Lanes<G> operator op(real a, Lanes<G> b) {     \
    BM_EACH b.v[i] = a op b.v[i];                                       \
    return b;                                                           \
  }
BM_OPERATOR(+)
BM_OPERATOR(-)
BM_OPERATOR(*)
BM_OPERATOR(/)
#undef BM_OPERATOR
template <int G> BM_FN Lanes<G> operator-(Lanes<G> a) {
  BM_EACH a.v[i] = -a.v[i];
  return a;
}

#define BM_ASSIGNMENT(assign, op)                                                                  \
  template <int G> BM_FN Lanes<G>& operator assign(Lanes<G>& a, Lanes<G> b) { return a = a op b; } \
  template <int G> BM_FN Lanes<G>& operator assign(Lanes<G>& a, real b) { return a = a op b; }
BM_ASSIGNMENT(+=, +)
BM_ASSIGNMENT(-=, -)
BM_ASSIGNMENT(*=, *)
BM_ASSIGNMENT(/=, /)
#undef BM_ASSIGNMENT

#define BM_COMPARISON(op)                                                                     \
  template <int G> BM_FN Mask<G> operator op(Lanes<G> a, Lanes<G> b) {                        \
    Mask<G> r;                                                                                \
    BM_EACH r.m[i] = a.v[i] op b.v[i];                                                        \
    return r;                                                                                 \
  }                                                                                           \
  template <int G> BM_FN Mask<G> operator op(Lanes<G> a, real b) { return a op Lanes<G>(b); } \
  template <int G> BM_FN Mask<G> operator op(real a, Lanes<G> b) { return Lanes<G>(a) op b; }
BM_COMPARISON(<)
BM_COMPARISON(<=)
BM_COMPARISON(>)
BM_COMPARISON(>=)
BM_COMPARISON(==)
BM_COMPARISON(!=)
#undef BM_COMPARISON
#define BM_LOGIC(op, bitwise)                                        \
  template <int G> BM_FN Mask<G> operator op(Mask<G> a, Mask<G> b) { \
    BM_EACH a.m[i] = a.m[i] bitwise b.m[i];                          \
    return a;                                                        \
  }
BM_LOGIC(&, &)
BM_LOGIC(|, |)
BM_LOGIC(&&, &)
BM_LOGIC(||, |)
#undef BM_LOGIC
template <int G> BM_FN Mask<G> operator!(Mask<G> a) {
  BM_EACH a.m[i] = ~a.m[i];
  return a;
}

// select(mask, a, b): a where the mask is set, else b.
template <int G> BM_FN Lanes<G> select(Mask<G> m, Lanes<G> a, Lanes<G> b) {
  BM_EACH a.v[i] = m.m[i] ? a.v[i] : b.v[i];
  return a;
}
template <int G> BM_FN Lanes<G> select(Mask<G> m, real a, Lanes<G> b) { return select(m, Lanes<G>(a), b); }
template <int G> BM_FN Lanes<G> select(Mask<G> m, Lanes<G> a, real b) { return select(m, a, Lanes<G>(b)); }
template <int G> BM_FN Lanes<G> select(Mask<G> m, real a, real b) { return select(m, Lanes<G>(a), Lanes<G>(b)); }
template <int G> BM_FN Lanes<G> select(bool m, Lanes<G> a, Lanes<G> b) { return m ? a : b; }
template <int G> BM_FN Lanes<G> select(bool m, real a, Lanes<G> b) { return m ? Lanes<G>(a) : b; }
template <int G> BM_FN Lanes<G> select(bool m, Lanes<G> a, real b) { return m ? a : Lanes<G>(b); }
BM_FN real select(bool m, real a, real b) { return m ? a : b; }

template <int G> BM_FN bool any(Mask<G> m) {
  IVec all = m.m[0];
  for (int i = 1; i < G; i++) all |= m.m[i];
  return any_sign_bit(all);
}
BM_FN bool any(bool m) { return m; }
BM_FN bool any_below(real a, real low) { return a < low; }
template <int G> BM_FN bool any_negative(Lanes<G> a) {
  IVec all = (IVec)a.v[0];
  for (int i = 1; i < G; i++) all |= (IVec)a.v[i];
  return any_sign_bit(all);
}

// Whether a <= low or b >= high somewhere. Signs of differences take half the instructions of comparisons; that of nan
// may be either.
template <int G> BM_FN bool any_outside(Lanes<G> a, Lanes<G> low, Lanes<G> b, Lanes<G> high) {
  IVec inside = (IVec)(low.v[0] - a.v[0]) & (IVec)(b.v[0] - high.v[0]);
  for (int i = 1; i < G; i++) inside &= (IVec)(low.v[i] - a.v[i]) & (IVec)(b.v[i] - high.v[i]);
  return any_sign_bit(~inside);
}

// Whether a < low somewhere. One instruction for each vector: nan is no minimum, and hides no other.
template <int G> BM_FN bool any_below(Lanes<G> a, real low) {
  Vec least = broadcast(low);
  BM_EACH least = a.v[i] < least ? a.v[i] : least;
  return any_sign_bit(least < broadcast(low));
}

template <int G> BM_FN Lanes<G> fma(Lanes<G> a, Lanes<G> b, Lanes<G> c) {
  BM_EACH a.v[i] = fma(a.v[i], b.v[i], c.v[i]);
  return a;
}
// The same with some arguments equal for all lanes.
template <int G> BM_FN Lanes<G> fma(Lanes<G> a, real b, Lanes<G> c) { return fma(a, Lanes<G>(b), c); }
template <int G> BM_FN Lanes<G> fma(real a, Lanes<G> b, Lanes<G> c) { return fma(Lanes<G>(a), b, c); }
template <int G> BM_FN Lanes<G> fma(Lanes<G> a, Lanes<G> b, real c) { return fma(a, b, Lanes<G>(c)); }
template <int G> BM_FN Lanes<G> fma(Lanes<G> a, real b, real c) { return fma(a, Lanes<G>(b), Lanes<G>(c)); }
template <int G> BM_FN Lanes<G> fma(real a, Lanes<G> b, real c) { return fma(Lanes<G>(a), b, Lanes<G>(c)); }
template <int G> BM_FN Lanes<G> fma(real a, real b, Lanes<G> c) { return fma(Lanes<G>(a), Lanes<G>(b), c); }
template <int G> BM_FN Lanes<G> rint(Lanes<G> a) {
  BM_EACH a.v[i] = rint(a.v[i]);
  return a;
}
template <int G> BM_FN Lanes<G> sqrt(Lanes<G> a) {
  BM_EACH a.v[i] = sqrt(a.v[i]);
  return a;
}

#define BM_SIGN_BIT ((uint)1 << (8 * sizeof(real) - 1))
BM_FN Vec absolute(Vec a) { return (Vec)((UVec)a & broadcast_bits(BM_SIGN_BIT - 1)); }
BM_FN Vec copysign(Vec a, Vec b) {
  return (Vec)(((UVec)a & broadcast_bits(BM_SIGN_BIT - 1)) | ((UVec)b & broadcast_bits(BM_SIGN_BIT)));
}
template <int G> BM_FN Lanes<G> absolute(Lanes<G> a) {
  BM_EACH a.v[i] = absolute(a.v[i]);
  return a;
}
template <int G> BM_FN Lanes<G> copysign(Lanes<G> a, Lanes<G> b) {
  BM_EACH a.v[i] = copysign(a.v[i], b.v[i]);
  return a;
}
template <int G> BM_FN Lanes<G> minimum(Lanes<G> a, Lanes<G> b) { return select(a < b, a, b); }
template <int G> BM_FN Lanes<G> maximum(Lanes<G> a, Lanes<G> b) { return select(a > b, a, b); }
#define BM_WITH_NUMBER(f)                                                             \
  template <int G> BM_FN Lanes<G> f(Lanes<G> a, real b) { return f(a, Lanes<G>(b)); } \
  template <int G> BM_FN Lanes<G> f(real a, Lanes<G> b) { return f(Lanes<G>(a), b); }
BM_WITH_NUMBER(minimum)
BM_WITH_NUMBER(maximum)
BM_WITH_NUMBER(copysign)
#undef BM_WITH_NUMBER

// The same for one number: for events, and for what all lanes share.
BM_FN real fma(real a, real b, real c) {
  return SINGLE ? (real)__builtin_fmaf((float)a, (float)b, (float)c) : (real)__builtin_fma(a, b, c);
}
BM_FN real rint(real a) { return SINGLE ? (real)__builtin_rintf((float)a) : (real)__builtin_rint(a); }
BM_FN real sqrt(real a) { return SINGLE ? (real)__builtin_sqrtf((float)a) : (real)__builtin_sqrt(a); }
BM_FN real absolute(real a) { return SINGLE ? (real)__builtin_fabsf((float)a) : (real)__builtin_fabs(a); }
BM_FN real copysign(real a, real b) {
  return SINGLE ? (real)__builtin_copysignf((float)a, (float)b) : (real)__builtin_copysign(a, b);
}
BM_FN real minimum(real a, real b) { return a < b ? a : b; }
BM_FN real maximum(real a, real b) { return a > b ? a : b; }

template <class T> BM_FN T floor(T x) {
  const T r = rint(x);
  return select(r > x, r - (real)1, r);
}

}  // namespace bmsim_kernel
