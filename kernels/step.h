// One step of a trajectory, whole or shortened by an event, with everything that changes during it.
#pragma once
#include "counters.h"
#include "inertial.h"
#include "integrators.h"
#include "tangent.h"

namespace bmsim_kernel {

// A phase after a step; gain: its change in a whole step.
template <class X> BM_FN X advanced(X phase, WholeStep, real gain) { return phase + gain; }
template <class X> BM_FN X advanced(X phase, X fraction, real gain) { return fma(fraction, gain, phase); }

// Ratio of the Gaussian increment of variable i in a shortened step to that in a whole one.
template <class X> BM_FN X shrink(int i, X fraction, const Parameters& p) {
  if constexpr (BM_METHOD != BM_ABOBA) return sqrt(fraction);
  if (BM_OWN_STEPS && !BM_COARSE && !any(fraction < (real)1)) return X((real)1);
  // variance of the velocity's increment: proportional to (1 - exp(-y)) / y times the length, y = 2 gamma dt / m
  const X y = fraction * ((real)2 * p.variable[i].damping * p.dt);
  const X series = fma(y, fma(y, fma(y, (real)(-1.0 / 24), (real)(1.0 / 6)), (real)-0.5), X((real)1));
  const X exact = ((real)1 - exp(-y)) / maximum(y, (real)1e-3);
  return sqrt(fraction * select(y < (real)0.05, series, exact) * p.variable[i].per_thermal);
}

// Change of variable i, or of its velocity, per unit of an increment with a law of its own. It changes v as a force
// over the step does.
template <class L> BM_FN auto per_increment(int i, [[maybe_unused]] L length, const Parameters& p) {
  if constexpr (BM_METHOD == BM_ABOBA)
    return inertia(length, p.variable[i], p).impulse;
  else
    return p.variable[i].per_kick;
}

// z, a position or velocity of variable i, plus the increments of the step; xi: its Gaussian increment in a whole step.
template <class X, class L>
BM_FN X with_own_increments(int i, X z, L length, const Numbers<X>& numbers, const Parameters& p) {
  if constexpr (BM_OWN_INCREMENTS)
    z = fma(own_increments(i, time_of(length, p), numbers, p), per_increment(i, length, p), z);
  return z;
}
template <class X>
BM_FN X with_increments(int i, X z, X fraction, X xi, const Numbers<X>& numbers, const Parameters& p) {
  if constexpr (BM_INCREMENTS != BM_NO_INCREMENTS) z = fma(xi, shrink(i, fraction, p), z);
  return with_own_increments(i, z, fraction, numbers, p);
}

// Increments of the step that amplitudes multiply.
template <class X> BM_FN White<X> of_step(const White<X>& white, WholeStep) { return white; }
template <class X> BM_FN White<X> of_step(const White<X>& white, X fraction) {
  White<X> shrunk;
  BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) shrunk.of[k] = white.of[k] * sqrt(fraction);
  return shrunk;
}

// Standard deviations of the sources in a whole step.
template <class X> BM_FN White<X> deviations(const Parameters& p) {
  White<X> all;
  BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) all.of[k] = X(source_deviation(k, p));
  return all;
}

// Coloured noises change exactly. average: their means over the step, for those that know them.
template <class X, class L>
BM_FN void evolve(Motion<X>& z, X* average, L length, const Numbers<X>& numbers, const Parameters& p) {
  if constexpr (BM_EVOLVING > 0) evolve_noises(z.evolving, average, time_of(length, p), numbers, p);
}

// Without inertia: u plus increments, and plus the drift where neither forces nor increments contain it.
template <class X, class D>
BM_FN X with_drift(int i, X u, WholeStep, X xi, D drift, const Numbers<X>& numbers, const Parameters& p) {
  return with_own_increments(i, DRIFT_IN_FORCES || BM_DRIFT_IN_LAW ? u + xi : u + (xi + drift), WholeStep(), numbers,
                             p);
}
template <class X, class D, class N>
BM_FN X with_drift(int i, X u, X fraction, X xi, D drift, const N& numbers, const Parameters& p) {
  const X moved = with_increments(i, u, fraction, xi, numbers, p);
  return DRIFT_IN_FORCES ? moved : fma(X(drift), fraction, moved);
}
// With inertia: all increments of v together.
template <class X> BM_FN X increment(int i, WholeStep, X xi, const Numbers<X>& numbers, const Parameters& p) {
  return with_own_increments(i, xi, WholeStep(), numbers, p);
}
template <class X, class N> BM_FN X increment(int i, X fraction, X xi, const N& numbers, const Parameters& p) {
  return with_increments(i, X((real)0), fraction, xi, numbers, p);
}

// Sum of v^2 with method aboba: its mean over the time of friction and noise, which begin at v + k and end at v' - k,
// with half of the kick, k, before and after them. This is exact for a free particle under a constant force, or kicked,
// and in equilibrium in a harmonic potential. For a whole step it is (b (v + v')/2)^2, in which the kicks cancel, plus
// a constant that is added when the window begins. The sum is in units of `square`, b^2/4.
template <class X>
BM_FN void add_square(X& squares, X before, X now, X, WholeStep, const Inertia<real>&, int, const Parameters&) {
  const X twice = before + now;
  squares = fma(twice, twice, squares);
}
template <class X>
BM_FN void add_square(X& squares, X before, X now, X force, X fraction, const Inertia<X>& q, int i,
                      const Parameters& p) {
  const X first = fma(force, q.half_kick, before), last = fma(force, -q.half_kick, now);
  const X sum = fma(first * q.early, first, fma(last * q.late, last, fraction * -constant_square(i, p)));
  squares = fma(sum, X((real)1 / p.variable[i].square), squares);
}
// Other methods: v^2 averaged over both ends of a step if kicks may change v between steps; else at its end.
template <class X> BM_FN X mean_square(X v, X before) {
  return BM_JUMPS ? fma(v, v, before * before) * (real)0.5 : v * v;
}
template <class X> BM_FN void add_square(X& squares, X before, X now, WholeStep) {
  squares = BM_JUMPS ? squares + mean_square(now, before) : fma(now, now, squares);
}
template <class X> BM_FN void add_square(X& squares, X before, X now, X fraction) {
  squares = fma(mean_square(now, before), fraction, squares);
}

// A variable that is held at a wall stays where it is, at both ends of the step.
template <class X, class L> BM_FN void stand(const Motion<X>& z, L length, X (&h)[VARIABLES], X (&start)[VARIABLES]) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    if (!has(BM_STICKY, i)) continue;
    const auto held = is_held(z, i, length);
    h[i] = select(held, X((real)0), h[i]);
    start[i] = select(held, z.u[i], start[i]);
  }
}
// The factor of a force in a step of this length; 0, a number for every lane, where a sticky wall holds a path.
template <class X, class L, bool HELD = (BM_STICKY != 0)> struct MoveOf { typedef X type; };
template <class X, class L> struct MoveOf<X, L, false> {
  typedef decltype(move_of(0, L(), *(const Parameters*)0)) type;
};

template <class X, class L, class W, class N, class D, class O>
BM_FN void move(Motion<X>& z, L length, const W& white, const N& numbers, const PerVariable<D>& drift, const O& before,
                const O& after, const Parameters& p, Push<X>& push) {
  typename MoveOf<X, L>::type h[VARIABLES];
  X xi[VARIABLES], start[VARIABLES];
  white_increments(white, p, xi);
  MultipliedNoise<X> noise{};
  if constexpr (BM_MULTIPLIED) noise.white = of_step(white, length);
  if constexpr (PLATEN_AMPLITUDE || BM_VANISHING) noise.deviation = of_step(deviations<X>(p), length);
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    h[i] = move_of(i, length, p);
    if (!is_inertial(i)) start[i] = with_drift(i, z.u[i], length, xi[i], drift.of[i], numbers, p);
  }
  if constexpr (BM_STICKY) stand(z, length, h, start);
  auto tangent = with_tangent(z);
  auto& state = moved(z, tangent);
  if constexpr (BM_INERTIAL == 0) {
    if constexpr (DRIVEN_START) {
      const X first[1] = {fma(X(before.force[0]), h[0], start[0])};
      const X mean[1] = {fma(X(before.force[0] + after.force[0]), h[0] * (real)0.5, start[0])};
      integrate(state.u, first, mean, h, drift, noise, before, after, p, push);
    } else {
      integrate(state.u, start, start, h, drift, noise, before, after, p, push);
    }
    take_over(z, tangent);
  } else {
    const auto q = all_inertia(length, p, AllVariables());
    X v[VELOCITIES > 0 ? VELOCITIES : 1];
    if constexpr (BM_SQUARES) BM_UNROLL for (int k = 0; k < VELOCITIES; k++) v[k] = z.v[k];
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) if (is_inertial(i)) xi[i] = increment(i, length, xi[i], numbers, p);
    [[maybe_unused]] StateNumber<X> force[VARIABLES];
    if constexpr (BM_METHOD == BM_ABOBA)
      integrate_aboba(state, xi, drift, q, before, p, force);
    else
      integrate_inertial(state, xi, drift, q, start, h, noise, before, after, p);
    take_over(z, tangent);
    if constexpr (BM_METHOD == BM_ABOBA)
      BM_UNROLL for (int i = 0; i < VARIABLES; i++) Counters::push(z, i, value_of(force[i]));
    if constexpr (BM_SQUARES) {
      BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
        const int k = velocity_of(i);
        if constexpr (BM_METHOD == BM_ABOBA)
          add_square(z.squares[k], v[k], z.v[k], value_of(force[i]), length, q.of[i], i, p);
        else if (is_inertial(i))
          add_square(z.squares[k], v[k], z.v[k], length);
      }
    }
  }
}

// A step under the outside influences at its beginning and its end. A method that needs only one (aboba) gets those in
// its middle as both.
//
// white, numbers: White<X> and Numbers<X>, or what several steps have gathered (coarse.h). With mean fields, which
// together.h knows when all paths have moved, that also counts.
template <class X, class L, class W, class N, class D, class O>
BM_FN void make_step(Motion<X>& z, L length, const W& white, const N& numbers, const PerVariable<D>& drift,
                     const Factors<X>& factors, const O& before, const O& after, const Parameters& p) {
  const auto make = [&](const auto& first, const auto& last) BM_FN_LAMBDA {
    if constexpr (!BM_FIELDS) Counters::before_step(z, length, first, last, p);
    Push<X> push;
    move(z, length, white, numbers, drift, first, last, p, push);
    if constexpr (BM_STICKY)
      stick(z, length, push, p);
    else if constexpr (BM_WALLS)
      bounce(z, length, drift, last, p);
    if constexpr (!BM_FIELDS) Counters::after_step(z, length, last, p);
  };
  if constexpr (BM_EVOLVING > 0 || BM_FACTORS > 0) {
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
    if constexpr (BM_FACTORS > 0) {
      add_factors(first, factors);
      add_factors(last, factors);
    }
    if (BM_METHOD == BM_ABOBA) each_member(first, last, [](X& a, const X& b) { a = (a + b) * (real)0.5; });
    make(first, last);
  } else {
    make(before, after);
  }
}

}  // namespace bmsim_kernel
