// One step of dx = [force(x) + g] dt + dW for every variable, in units of the period: u = x / L, h = dt / L. Every
// stage contains the whole drift, and all stages share one increment. `start` and `mean` are the positions after the
// step without the forces of the stages (begin_forces); they differ only with a drive and walls, which need it apart:
// then one contains the drive at the beginning of the step, the other its average over the step.
#pragma once
#include "dual.h"
#include "motion.h"
#include "vanishing.h"
#include "walls.h"

namespace bmsim_kernel {

// Euler-Maruyama has no correction: weak order 1. Stochastic Heun has one: for additive noise of weak order 2 (Kloeden,
// Platen 1992, section 15.5). Platen's predictor-corrector has two, and so three evaluations: the founding paper's
// Algorithm 1, corrected. With an amplitude, Platen's is another scheme, see below.
constexpr bool PLATEN_AMPLITUDE = BM_METHOD == BM_PLATEN && BM_MULTIPLIED != 0;
constexpr int CORRECTIONS = BM_METHOD == BM_EULER ? 0 : BM_METHOD == BM_PLATEN && !PLATEN_AMPLITUDE ? 2 : 1;

// Increments that amplitudes multiply, and their standard deviations in this step.
template <class X> struct MultipliedNoise { White<X> white, deviation; };

// Positions, and velocities of the variables with inertia.
template <class X> struct Stage { X u[VARIABLES], v[VELOCITIES > 0 ? VELOCITIES : 1]; };
template <class X> BM_FN Stage<X> displaced(Stage<X> z, const X (&by)[VARIABLES], real sign) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    X& changed = is_inertial(i) ? z.v[velocity_of(i)] : z.u[i];
    if (has(BM_MULTIPLIED, i)) changed = fma(by[i], sign, changed);
  }
  return z;
}

// What is not defined beyond a wall: the same at the beginning of the step takes its place.
template <class Y> BM_FN void take_defined(Y (&there)[VARIABLES], const Y (&begin)[VARIABLES]) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    const auto lost = !(absolute(value_of(there[i])) <= FARTHEST);
    if (any(lost)) there[i] = select(lost, begin[i], there[i]);
  }
}

// Platen's explicit scheme of weak order 2 in Ito's interpretation (Kloeden, Platen 1992, equation 15.1.1), where no
// white noise but its own moves what an amplitude depends on: then the supporting values of all noises are two stages
// together, and products of different noises do not matter. drifted: the predicted stage without these noises;
// multiplied: its increments at the beginning, which become those of the step.
template <class Y, class X, class O>
BM_FN void platen_increments(const Stage<Y>& from, const Stage<Y>& drifted, const MultipliedNoise<X>& noise,
                             const O& before, const O& after, const Parameters& p, Y (&multiplied)[VARIABLES]) {
  White<X> up, down;
  BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) {
    const X w = noise.white.of[k], s = noise.deviation.of[k];
    const X square = fma(w, w, -s * s) / maximum(s, TINY);
    up.of[k] = (w + square) * (real)0.25;
    down.of[k] = (w - square) * (real)0.25;
  }
  Y push[VARIABLES], above[VARIABLES], below[VARIABLES];
  multiplied_increments(from.u, from.v, before, p, noise.deviation, push);
  const Stage<Y> high = displaced(drifted, push, (real)1), low = displaced(drifted, push, (real)-1);
  multiplied_increments(high.u, high.v, after, p, up, above);
  multiplied_increments(low.u, low.v, after, p, down, below);
  if constexpr (BM_ONE_SIDED) {
    Y begin[VARIABLES];
    multiplied_increments(from.u, from.v, before, p, up, begin);
    take_defined(above, begin);
    multiplied_increments(from.u, from.v, before, p, down, begin);
    take_defined(below, begin);
  }
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) multiplied[i] = fma(multiplied[i], (real)0.5, above[i] + below[i]);
}

// Heun's scheme where all there is is the force of a potential, a product with a given number: that number takes half
// of the step's length, so that each stage is one operation after its wave. Returns false if it is no such product.
constexpr bool ONE_TERM = BM_OWN_STEPS && BM_ONE_POTENTIAL && VARIABLES == 1 && BM_METHOD == BM_HEUN && !BM_WALLS &&
                          !BM_MULTIPLIED && !BM_MODULATED && !FORCED_APART && !DRIVEN_START;
template <class O>
BM_FN bool step_of_one_term(real& u, real start, real h, const O& before, const O& after, const Parameters& p) {
  if constexpr (ONE_TERM) {
    const auto force = model_force(term_of(u), before, p);
    if (!force.is_multiple()) return false;
    const real half_way = fma(force.one, force.other * (h * (real)0.5), start);
    const auto there = model_force(term_of(fma(half_way, (real)2, -start)), after, p);
    u = fma(there.one, there.other * (h * (real)0.5), half_way);
  }
  return ONE_TERM;
}

// drift: constant forces, which systems add to the others (DRIFT_IN_FORCES).
//
// With amplitudes at both ends of the step Heun's scheme converges to Stratonovich's interpretation, with weak order 1
// (W. Ruemelin, SIAM J. Numer. Anal. 19, 604, 1982); Euler's and Platen's converge to Ito's.
//
// Y: the numbers of the state, X or dual ones (tangent.h). push: see walls.h.
template <class Y, class X, class H, class D, class O>
BM_FN void integrate(Y (&u)[VARIABLES], const X (&start)[VARIABLES], const X (&mean)[VARIABLES],
                     const H (&h)[VARIABLES], const PerVariable<D>& drift, const MultipliedNoise<X>& noise,
                     const O& before, const O& after, const Parameters& p, [[maybe_unused]] Push<X>& push) {
  if constexpr (ONE_TERM && IS_NUMBER<Y>)
    if (step_of_one_term(u[0], start[0], h[0], before, after, p)) return;
  Y f[VARIABLES];
  [[maybe_unused]] Y multiplied[VARIABLES], multiplied_there[VARIABLES];
  begin_forces(drift, before, f);
  model_forces(u, Absent(), before, p, f);
  if constexpr (BM_MULTIPLIED) multiplied_increments(u, Absent(), before, p, noise.white, multiplied);
  [[maybe_unused]] Stage<Y> from, drifted;
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    from.u[i] = u[i];
    drifted.u[i] = u[i] = fma(f[i], h[i], moved_from(from.u[i], start[i]));
    if (has(BM_MULTIPLIED, i)) u[i] = u[i] + multiplied[i];
  }
  if constexpr (PLATEN_AMPLITUDE) platen_increments(from, drifted, noise, before, after, p, multiplied);
  [[maybe_unused]] Replaced<X> replaced;
  if constexpr (BM_VANISHING) replaced = stay_before_walls(from, drifted, h, noise, before, p, u, multiplied);
  [[maybe_unused]] X constant = X((real)0);
  if constexpr (BM_WALLS && VARIABLES == 1) constant = X(drift.of[0]) * ((real)1 / p.variable[0].h);
  if constexpr (BM_WALLS && DRIVEN_START) constant = constant + X(before.force[0] + after.force[0]) * (real)0.5;
  [[maybe_unused]] X force[VARIABLES];
  if constexpr (BM_WALLS) BM_UNROLL for (int i = 0; i < VARIABLES; i++) force[i] = value_of(f[i]);
  BM_UNROLL for (int correction = 0; correction < CORRECTIONS; correction++) {
    Y there[VARIABLES];
    [[maybe_unused]] X turned[VARIABLES];
    if constexpr (BM_WALLS) mirror(u, p, turned);
    begin_forces(drift, after, there);
    // Without walls the forces there are added to those at the beginning: a fused term saves an operation.
    if constexpr (!BM_WALLS) BM_UNROLL for (int i = 0; i < VARIABLES; i++) there[i] = f[i] + there[i];
    model_forces(u, Absent(), after, p, there);
    if constexpr (BM_MULTIPLIED && !PLATEN_AMPLITUDE)
      multiplied_increments(u, Absent(), after, p, noise.white, multiplied_there);
    if constexpr (BM_ONE_SIDED && !PLATEN_AMPLITUDE) take_defined(multiplied_there, multiplied);
    if constexpr (BM_VANISHING) keep_replaced(replaced, multiplied, multiplied_there);
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      if constexpr (BM_WALLS) take_turned(i, there[i], f[i], constant, turned[i]);
      const Y both = BM_WALLS ? f[i] + there[i] : there[i];
      if constexpr (BM_WALLS) force[i] = value_of(both) * (real)0.5;
      u[i] = fma(both, h[i] * (real)0.5, moved_from(from.u[i], mean[i]));
      if (has(BM_MULTIPLIED, i))
        u[i] = PLATEN_AMPLITUDE ? u[i] + multiplied[i] : fma(multiplied[i] + multiplied_there[i], (real)0.5, u[i]);
    }
  }
  if constexpr (BM_WALLS) reflect_by_law(u, from.u, force, constant, h, p, push);
}

// The founding paper's Algorithm 1 to the letter: `noises`, their drift and jumps, enters only the last line. The two
// forces are those independent of x, at the beginning and at the end of the step.
template <class X> BM_FN X integrate_paper(X u, X xi, X noises, real force, real force_after, const Parameters& p) {
  const Outside<real> none{};
  const real half = p.variable[0].h * (real)0.5;
  const X f = model_force(u, none, p) + force;
  X predicted = u + f * p.variable[0].h + xi;
  predicted = u + (f + (model_force(predicted, none, p) + force_after)) * half + xi;
  return u + (f + (model_force(predicted, none, p) + force_after)) * half + xi + noises;
}

}  // namespace bmsim_kernel
