// Dual numbers, a value and its derivative in one direction: what is computed with them is differentiated on the way,
// and values have the bits that they have without. The dialect of bmsim/plugin.h, for dual numbers and for their
// mixtures with plain ones, which are constants.
#pragma once
#include "arrays.h"
#include "special.h"

namespace bmsim_kernel {

template <class X> struct Dual {
  X value, slope;
  Dual() = default;
  BM_FN_MEMBER Dual(const X& v, const X& s) : value(v), slope(s) {}
  template <class A> BM_FN_MEMBER Dual(const A& constant) : value((X)constant), slope((real)-0.0) {}
};

template <class A> struct DualOf { static constexpr bool yes = false; };
template <class X> struct DualOf<Dual<X>> {
  static constexpr bool yes = true;
  typedef X Value;
};
template <class... A>
concept SomeDual = (DualOf<A>::yes || ...);
// The type of a result: that of the first dual number.
template <class A, class... More> struct FirstDual : FirstDual<More...> {};
template <class X, class... More> struct FirstDual<Dual<X>, More...> { typedef Dual<X> Type; };
template <class... A> using DualAmong = typename FirstDual<A...>::Type;

// Slopes of constants, and a b + c with some of them.
struct Constant {};
template <class A> constexpr bool IS_CONSTANT = false;
template <> inline constexpr bool IS_CONSTANT<Constant> = true;
template <class A, class B, class C> BM_FN auto product_plus(const A& a, const B& b, const C& c) {
  if constexpr (IS_CONSTANT<A> || IS_CONSTANT<B>)
    return c;
  else if constexpr (IS_CONSTANT<C>)
    return a * b;
  else
    return fma(a, b, c);
}
template <class A> BM_FN A value_of(const A& a) { return a; }
template <class X> BM_FN X value_of(const Dual<X>& a) { return a.value; }
template <class A> BM_FN Constant slope_of(const A&) { return {}; }
template <class X> BM_FN X slope_of(const Dual<X>& a) { return a.slope; }
template <class X> BM_FN X slope_or_0(const Dual<X>& a) { return a.slope; }
template <class X, class A> BM_FN X slope_or_0(const A&) { return X((real)-0.0); }

// x, which does not depend on the state, moved from u: a plain number, or with the slope of u.
template <class X> BM_FN X moved_from(const X&, const X& x) { return x; }
template <class X> BM_FN Dual<X> moved_from(const Dual<X>& u, const X& x) { return {x, u.slope}; }

template <class A, class B>
requires SomeDual<A, B> BM_FN auto operator+(A a, B b) {
  if constexpr (!DualOf<B>::yes)
    return A(a.value + b, a.slope);
  else if constexpr (!DualOf<A>::yes)
    return B(a + b.value, b.slope);
  else
    return A(a.value + b.value, a.slope + b.slope);
}
template <class X> BM_FN Dual<X> operator-(Dual<X> a) { return {-a.value, -a.slope}; }
template <class A, class B>
requires SomeDual<A, B> BM_FN auto operator-(A a, B b) {
  if constexpr (!DualOf<B>::yes)
    return A(a.value - b, a.slope);
  else if constexpr (!DualOf<A>::yes)
    return B(a - b.value, -b.slope);
  else
    return A(a.value - b.value, a.slope - b.slope);
}
template <class A, class B>
requires SomeDual<A, B> BM_FN auto operator*(A a, B b) {
  return DualAmong<A, B>(value_of(a) * value_of(b),
                         product_plus(slope_of(a), value_of(b), product_plus(value_of(a), slope_of(b), Constant())));
}
// A quotient by what is about to overflow, as in tanh, does not change any more.
template <class A, class B>
requires SomeDual<A, B> BM_FN auto operator/(A a, B b) {
  typedef DualAmong<A, B> D;
  typedef typename DualOf<D>::Value X;
  const auto of = value_of(b);
  const X q = value_of(a) / of;
  const X slope = product_plus(-q, slope_of(b), slope_of(a)) / of;
  if constexpr (DualOf<B>::yes)
    return D(q, select(absolute(of) < (real)(SINGLE ? 1e30 : 1e300), slope, X((real)0)));
  else
    return D(q, slope);
}
#define BM_ASSIGNMENT(assign, op) \
  template <class X, class B> BM_FN Dual<X>& operator assign(Dual<X>& a, const B& b) { return a = a op b; }
BM_ASSIGNMENT(+=, +)
BM_ASSIGNMENT(-=, -)
BM_ASSIGNMENT(*=, *)
BM_ASSIGNMENT(/=, /)
#undef BM_ASSIGNMENT
#define BM_COMPARISON(op)     \
  template <class A, class B> \
  requires SomeDual<A, B> BM_FN auto operator op(A a, B b) { return value_of(a) op value_of(b); }
BM_COMPARISON(<)
BM_COMPARISON(<=)
BM_COMPARISON(>)
BM_COMPARISON(>=)
BM_COMPARISON(==)
BM_COMPARISON(!=)
#undef BM_COMPARISON

template <class A, class B, class C>
requires SomeDual<A, B, C> BM_FN auto fma(A a, B b, C c) {
  return DualAmong<A, B, C>(
      fma(value_of(a), value_of(b), value_of(c)),
      product_plus(slope_of(a), value_of(b), product_plus(value_of(a), slope_of(b), slope_of(c))));
}
template <class M, class A, class B>
requires SomeDual<A, B> BM_FN auto select(M m, A a, B b) {
  typedef DualAmong<A, B> D;
  typedef typename DualOf<D>::Value X;
  return D(select(m, X(value_of(a)), X(value_of(b))), select(m, slope_or_0<X>(a), slope_or_0<X>(b)));
}
template <class A, class B>
requires SomeDual<A, B> BM_FN auto minimum(A a, B b) {
  typedef DualAmong<A, B> D;
  typedef typename DualOf<D>::Value X;
  return D(minimum(value_of(a), value_of(b)), select(a < b, slope_or_0<X>(a), slope_or_0<X>(b)));
}
template <class A, class B>
requires SomeDual<A, B> BM_FN auto maximum(A a, B b) {
  typedef DualAmong<A, B> D;
  typedef typename DualOf<D>::Value X;
  return D(maximum(value_of(a), value_of(b)), select(a > b, slope_or_0<X>(a), slope_or_0<X>(b)));
}
template <class A, class B>
requires SomeDual<A, B> BM_FN auto copysign(A a, B b) {
  typedef DualAmong<A, B> D;
  typedef typename DualOf<D>::Value X;
  const X from = X(value_of(a)), sign = X(value_of(b)), one = X((real)1);
  return D(copysign(from, sign), slope_or_0<X>(a) * (copysign(one, from) * copysign(one, sign)));
}
template <class X> BM_FN Dual<X> absolute(Dual<X> a) {
  return {absolute(a.value), a.slope * copysign(X((real)1), a.value)};
}
template <class X> BM_FN Dual<X> rint(Dual<X> a) { return rint(a.value); }
template <class X> BM_FN Dual<X> floor(Dual<X> a) { return floor(a.value); }
template <class X> BM_FN Dual<X> sqrt(Dual<X> a) {
  const X root = sqrt(a.value);
  return {root, a.slope * (real)0.5 / maximum(root, (real)1e-18)};
}
template <class X> BM_FN Dual<X> exp(Dual<X> a) {
  const X grown = exp(a.value);
  return {grown, a.slope * grown};
}
template <class X> BM_FN Dual<X> log(Dual<X> a) { return {log(a.value), a.slope / maximum(a.value, TINY)}; }
constexpr real TURN = (real)6.2831853071795864769;
template <class X> BM_FN Dual<X> sin2pi(Dual<X> a) { return {sin2pi(a.value), a.slope * (cos2pi(a.value) * TURN)}; }
template <class X> BM_FN Dual<X> cos2pi(Dual<X> a) { return {cos2pi(a.value), a.slope * (sin2pi(a.value) * -TURN)}; }
template <class A, class B>
requires SomeDual<A, B> BM_FN auto atan2(A y, B x) {
  typedef DualAmong<A, B> D;
  typedef typename DualOf<D>::Value X;
  const X py = X(value_of(y)), px = X(value_of(x));
  const X turned = product_plus(slope_of(y), px, product_plus(-py, slope_of(x), Constant()));
  return D(atan2(py, px), turned / maximum(fma(px, px, py * py), TINY));
}
template <unsigned N, class X> BM_FN Dual<X> gather(const Table<N>& table, const Dual<X>& index) {
  return gather(table, index.value);
}

}  // namespace bmsim_kernel
