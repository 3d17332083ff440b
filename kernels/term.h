// A term of a sum, such as the force of a potential among other forces: a number, or a product that is not multiplied
// out yet, so that adding it is one fused operation. What a plugin's function returns is its last operation. Whether
// there is a product is known when the kernel is compiled. The dialect of bmsim/plugin.h, on a GPU only.
#pragma once
#include "dual.h"

namespace bmsim_kernel {

#if BM_OWN_STEPS
struct Term {
  real factor, other;
  bool product;
  Term() = default;
  template <class A> BM_FN_MEMBER Term(const A& number) : factor((real)number), other(1), product(false) {}
  BM_FN_MEMBER Term(real a, real b) : factor(a), other(b), product(true) {}
  BM_FN_MEMBER explicit operator real() const { return product ? factor * other : factor; }
};

template <class A> BM_FN real number_of(const A& a) { return (real)a; }
template <class... A>
concept SomeTerm = (Same<A, Term>::yes || ...);

template <class A, class B>
requires SomeTerm<A, B> BM_FN Term operator*(A a, B b) { return Term(number_of(a), number_of(b)); }
BM_FN Term operator-(Term a) { return a.product ? Term(-a.factor, a.other) : Term(-a.factor); }
#define BM_OPERATOR(op, Result) \
  template <class A, class B>   \
  requires SomeTerm<A, B> BM_FN Result operator op(A a, B b) { return number_of(a) op number_of(b); }
BM_OPERATOR(+, Term)
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
BM_OF_TERM(sin2pi)
BM_OF_TERM(cos2pi)
BM_OF_TERM(normal_quantile)
#undef BM_OF_TERM
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

BM_FN real plus(real sum, Term term) { return term.product ? fma(term.factor, term.other, sum) : sum + term.factor; }

// What a plugin's function takes to compute a term; with derivatives the values are the same.
BM_FN Term term_of(real number) { return Term(number); }
BM_FN Dual<Term> term_of(const Dual<real>& number) { return {Term(number.value), Term(number.slope)}; }
BM_FN Dual<real> plus(const Dual<real>& sum, const Dual<Term>& term) {
  return {plus(sum.value, term.value), sum.slope + number_of(term.slope)};
}
#else
template <class X> BM_FN X term_of(const X& number) { return number; }
template <class X> BM_FN X plus(const X& sum, const X& term) { return sum + term; }
#endif
template <class X> using TermOf = decltype(term_of(*(const X*)0));

}  // namespace bmsim_kernel
