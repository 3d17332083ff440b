// A term of a sum, such as the force of a potential among other forces: a number, or a product or a sum that is not
// computed yet, so that adding it, or taking its sine, is one fused operation. What a plugin's function returns is its
// last operation. Which there is is known when the kernel is compiled. The dialect of bmsim/plugin.h, on a GPU only.
#pragma once
#include "dual.h"

namespace bmsim_kernel {

#if BM_OWN_STEPS
struct Term {
  enum Kind { NUMBER, PRODUCT, SUM };
  real one, other;
  Kind kind;
  bool given;  // whether `other` does not depend on the state
  Term() = default;
  template <class A> BM_FN_MEMBER Term(const A& number) : one((real)number), other(1), kind(NUMBER), given(false) {}
  BM_FN_MEMBER Term(real a, real b, Kind what, bool b_is_given) : one(a), other(b), kind(what), given(b_is_given) {}
  BM_FN_MEMBER bool is_multiple() const { return kind == PRODUCT && given; }
  BM_FN_MEMBER explicit operator real() const {
    return kind == PRODUCT ? one * other : kind == SUM ? one + other : one;
  }
};

template <class Y> constexpr bool IS_NUMBER = Same<Y, real>::yes;
template <class A> BM_FN real number_of(const A& a) { return (real)a; }
template <class... A>
concept SomeTerm = (Same<A, Term>::yes || ...);

template <class A, class B> BM_FN Term term_of_two(A a, B b, Term::Kind kind) {
  if constexpr (!Same<A, Term>::yes) return Term(number_of(b), number_of(a), kind, true);
  return Term(number_of(a), number_of(b), kind, !Same<B, Term>::yes);
}
template <class A, class B>
requires SomeTerm<A, B> BM_FN Term operator*(A a, B b) { return term_of_two(a, b, Term::PRODUCT); }
template <class A, class B>
requires SomeTerm<A, B> BM_FN Term operator+(A a, B b) { return term_of_two(a, b, Term::SUM); }
BM_FN Term operator-(Term a) {
  return a.kind == Term::PRODUCT ? Term(-a.one, a.other, Term::PRODUCT, a.given) : Term(-number_of(a));
}
#define BM_OPERATOR(op, Result) \
  template <class A, class B>   \
  requires SomeTerm<A, B> BM_FN Result operator op(A a, B b) { return number_of(a) op number_of(b); }
BM_OPERATOR(-, Term)
BM_OPERATOR(/, Term)
BM_OPERATOR(<, bool)
BM_OPERATOR(<=, bool)
BM_OPERATOR(>, bool)
BM_OPERATOR(>=, bool)
BM_OPERATOR(==, bool)
BM_OPERATOR(!=, bool)
#undef BM_OPERATOR
#define BM_ASSIGNMENT(assign, op) \
  template <class B> BM_FN Term& operator assign(Term& a, const B& b) { return a = a op b; }
BM_ASSIGNMENT(+=, +)
BM_ASSIGNMENT(-=, -)
BM_ASSIGNMENT(*=, *)
BM_ASSIGNMENT(/=, /)
#undef BM_ASSIGNMENT
#define BM_OF_TERM(f) \
  BM_FN Term f(Term a) { return f(number_of(a)); }
BM_OF_TERM(absolute)
BM_OF_TERM(rint)
BM_OF_TERM(floor)
BM_OF_TERM(sqrt)
BM_OF_TERM(inverse_root)
BM_OF_TERM(exp)
BM_OF_TERM(log)
BM_OF_TERM(normal_quantile)
#undef BM_OF_TERM
#if BM_SINGLE
// The unit of waves takes radians: what is given is converted before.
BM_FN real radians_of(const Term& turns) {
  constexpr real turn = (real)6.2831853071795864769;
  if (turns.given && turns.kind == Term::SUM) return fma(turns.one, turn, turns.other * turn);
  if (turns.given && turns.kind == Term::PRODUCT) return turns.one * (turns.other * turn);
  return number_of(turns) * turn;
}
BM_FN Term sin2pi(Term a) { return sin_of_radians(radians_of(a)); }
BM_FN Term cos2pi(Term a) { return cos_of_radians(radians_of(a)); }
#else
BM_FN Term sin2pi(Term a) { return sin2pi(number_of(a)); }
BM_FN Term cos2pi(Term a) { return cos2pi(number_of(a)); }
#endif
#define BM_OF_TERMS(f)        \
  template <class A, class B> \
  requires SomeTerm<A, B> BM_FN Term f(A a, B b) { return f(number_of(a), number_of(b)); }
BM_OF_TERMS(minimum)
BM_OF_TERMS(maximum)
BM_OF_TERMS(copysign)
BM_OF_TERMS(quotient)
BM_OF_TERMS(atan2)
BM_OF_TERMS(normal)
#undef BM_OF_TERMS
template <class A, class B>
requires SomeTerm<A, B> BM_FN Term select(bool m, A a, B b) { return m ? number_of(a) : number_of(b); }
template <class A, class B, class C>
requires SomeTerm<A, B, C> BM_FN Term fma(A a, B b, C c) { return fma(number_of(a), number_of(b), number_of(c)); }
template <unsigned N> BM_FN Term gather(const Table<N>& table, Term index) { return gather(table, number_of(index)); }

BM_FN real plus(real sum, Term term) {
  return term.kind == Term::PRODUCT ? fma(term.one, term.other, sum) : sum + number_of(term);
}

// What a plugin's function takes to compute a term; with derivatives the values are the same.
BM_FN Term term_of(real number) { return Term(number); }
BM_FN Dual<Term> term_of(const Dual<real>& number) { return {Term(number.value), Term(number.slope)}; }
BM_FN Dual<real> plus(const Dual<real>& sum, const Dual<Term>& term) {
  return {plus(sum.value, term.value), sum.slope + number_of(term.slope)};
}
#else
template <class Y> constexpr bool IS_NUMBER = false;
template <class X> BM_FN X term_of(const X& number) { return number; }
template <class X> BM_FN X plus(const X& sum, const X& term) { return sum + term; }
#endif
template <class X> using TermOf = decltype(term_of(*(const X*)0));

}  // namespace bmsim_kernel
