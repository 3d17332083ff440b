// One step of a trajectory, whole or shortened by an event, with everything that changes during it.
#pragma once
#include "counters.h"
#include "inertial.h"
#include "integrators.h"

namespace bmsim_kernel {

// A phase after a step; gain: its change in a whole step.
template <class X> BM_FN X advanced(X phase, WholeStep, real gain) { return phase + gain; }
template <class X> BM_FN X advanced(X phase, X fraction, real gain) { return fma(fraction, gain, phase); }

// Ratio of the Gaussian increment of a shortened step to that of a whole one.
template <class X> BM_FN X shrink(X fraction, const Parameters& p) {
  if constexpr (BM_METHOD != BM_ABOBA) return sqrt(fraction);
  if (BM_OWN_STEPS && !BM_COARSE && !any(fraction < (real)1)) return X((real)1);
  // variance of the velocity's increment: proportional to (1 - exp(-y)) / y times the length, y = 2 gamma dt / m
  const X y = fraction * ((real)2 * p.damping * p.dt);
  const X series = fma(y, fma(y, fma(y, (real)(-1.0 / 24), (real)(1.0 / 6)), (real)-0.5), X((real)1));
  const X exact = ((real)1 - exp(-y)) / maximum(y, (real)1e-3);
  return sqrt(fraction * select(y < (real)0.05, series, exact) * p.per_thermal);
}

// Change of u or v per unit of an increment with a law of its own. It changes v as a force over the step does.
template <class L> BM_FN auto per_increment([[maybe_unused]] L length, const Parameters& p) {
  if constexpr (BM_METHOD == BM_ABOBA)
    return inertia(length, p).impulse;
  else
    return p.per_kick;
}

// z, a position or velocity, plus the increments of the step; xi: Gaussian increment of a whole step.
template <class X, class L> BM_FN X with_own_increments(X z, L length, const Numbers<X>& numbers, const Parameters& p) {
  if constexpr (BM_OWN_INCREMENTS) z = fma(own_increments(time_of(length, p), numbers, p), per_increment(length, p), z);
  return z;
}
template <class X> BM_FN X with_increments(X z, X fraction, X xi, const Numbers<X>& numbers, const Parameters& p) {
  if constexpr (BM_INCREMENTS != BM_NO_INCREMENTS) z = fma(xi, shrink(fraction, p), z);
  return with_own_increments(z, fraction, numbers, p);
}

// Coloured noises change exactly. average: their means over the step, for those that know them.
template <class X, class L>
BM_FN void evolve(Motion<X>& z, X* average, L length, const Numbers<X>& numbers, const Parameters& p) {
  if constexpr (BM_EVOLVING > 0) evolve_noises(z.evolving, average, time_of(length, p), numbers, p);
}

// Overdamped: u plus drift and increments, without the potential's force.
template <class X, class D>
BM_FN X with_drift(X u, WholeStep, X xi, D drift, const Numbers<X>& numbers, const Parameters& p) {
  return with_own_increments(u + (xi + drift), WholeStep(), numbers, p);
}
template <class X, class D, class N>
BM_FN X with_drift(X u, X fraction, X xi, D drift, const N& numbers, const Parameters& p) {
  return fma(X(drift), fraction, with_increments(u, fraction, xi, numbers, p));
}
// Underdamped: all increments of v together.
template <class X> BM_FN X increment(WholeStep, X xi, const Numbers<X>& numbers, const Parameters& p) {
  return with_own_increments(xi, WholeStep(), numbers, p);
}
template <class X, class N> BM_FN X increment(X fraction, X xi, const N& numbers, const Parameters& p) {
  return with_increments(X((real)0), fraction, xi, numbers, p);
}

// Sum of v^2 with method aboba: its mean over the time of friction and noise, which begin at v + k and end at v' - k,
// with half of the kick, k, before and after them. This is exact for a free particle under a constant force, or kicked,
// and in equilibrium in a harmonic potential. For a whole step it is (b (v + v')/2)^2, in which the kicks cancel, plus
// a constant that is added when the window begins. z.squares is in units of p.square, b^2/4.
template <class X> BM_FN void add_square(Motion<X>& z, X v, X, WholeStep, const Inertia<real>&, const Parameters&) {
  const X twice = v + z.v;
  z.squares = fma(twice, twice, z.squares);
}
template <class X>
BM_FN void add_square(Motion<X>& z, X v, X force, X fraction, const Inertia<X>& q, const Parameters& p) {
  const X first = fma(force, q.half_kick, v), last = fma(force, -q.half_kick, z.v);
  const X sum = fma(first * q.early, first, fma(last * q.late, last, fraction * -constant_square(p)));
  z.squares = fma(sum, X((real)1 / p.square), z.squares);
}
// Other methods: v^2 averaged over both ends of a step if kicks may change v between steps; else at its end.
template <class X> BM_FN X mean_square(X v, X before) {
  return BM_EVENT_NOISES ? fma(v, v, before * before) * (real)0.5 : v * v;
}
template <class X> BM_FN void add_square(Motion<X>& z, X before, WholeStep) {
  z.squares = BM_EVENT_NOISES ? z.squares + mean_square(z.v, before) : fma(z.v, z.v, z.squares);
}
template <class X> BM_FN void add_square(Motion<X>& z, X before, X fraction) {
  z.squares = fma(mean_square(z.v, before), fraction, z.squares);
}

template <class X, class L, class N, class D, class O>
BM_FN void move(Motion<X>& z, L length, X xi, const N& numbers, D drift, const O& before, const O& after,
                const Parameters& p) {
  if constexpr (!BM_UNDERDAMPED) {
    const X start = with_drift(z.u, length, xi, drift, numbers, p);
    const auto h = move_of(length, p);
    if constexpr (BM_FORCED)
      z.u = integrate(z.u, fma(X(before.force), h, start), fma(X(before.force + after.force), h * (real)0.5, start), h,
                      before, after, p);
    else
      z.u = integrate(z.u, start, start, h, before, after, p);
  } else {
    const auto q = inertia(length, p);
    const X v = z.v;
    [[maybe_unused]] const X force = integrate(z.u, z.v, increment(length, xi, numbers, p), drift, q, before, after, p);
    if constexpr (BM_SQUARES && BM_METHOD == BM_ABOBA) add_square(z, v, force, length, q, p);
    if constexpr (BM_SQUARES && BM_METHOD != BM_ABOBA) add_square(z, v, length);
  }
}

// A step under the outside influences at its beginning and its end. A method that needs only one (aboba) gets those in
// its middle as both.
//
// numbers: Numbers<X>, or what several steps have gathered (coarse.h).
template <class X, class L, class N, class D, class A, class O>
BM_FN void make_step(Motion<X>& z, L length, X xi, const N& numbers, D drift, A amplitude, const O& before,
                     const O& after, const Parameters& p) {
  const auto make = [&](const auto& first, const auto& last) BM_FN_LAMBDA {
    Counters::before_step(z, length, first, last, p);
    move(z, length, xi, numbers, drift, first, last, p);
    Counters::after_step(z, length, last, p);
  };
  if constexpr (BM_EVOLVING > 0 || BM_AMPLITUDE_VARIES) {
    Outside<X> first, last;
    each_member(first, before, [](auto& to, const auto& from) { to = X(from); });
    each_member(last, after, [](auto& to, const auto& from) { to = X(from); });
    if constexpr (BM_EVOLVING > 0) {
      X average[AVERAGES];
      add_evolving(first, z.evolving, p);
      evolve(z, average, length, numbers, p);
      add_evolving(last, z.evolving, p);
      add_averages(first, average);
      add_averages(last, average);
    }
    if constexpr (BM_AMPLITUDE_VARIES) {
      first.amplitude = first.amplitude + amplitude;
      last.amplitude = last.amplitude + amplitude;
    }
    if (BM_METHOD == BM_ABOBA) each_member(first, last, [](X& a, const X& b) { a = (a + b) * (real)0.5; });
    make(first, last);
  } else {
    make(before, after);
  }
}

}  // namespace bmsim_kernel
