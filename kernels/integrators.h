// One step of dx = [force(x) + g] dt + dW for every variable, in units of the period: u = x / L, h = dt / L. Every
// stage contains the whole drift, and all stages share one increment. `start` and `mean` are the positions after the
// step without the forces that depend on x: with the other drifts at the beginning of the step, and with their average
// over the step. They differ only if something depends on time.
#pragma once
#include "motion.h"

namespace bmsim_kernel {

// drift: constant forces, which systems add to the others (DRIFT_IN_FORCES).
//
// white: increments that amplitudes multiply, at both ends of the step: so Heun's scheme converges to Stratonovich's
// interpretation, with weak order 1 (W. Ruemelin, SIAM J. Numer. Anal. 19, 604, 1982), Euler's to Ito's.
template <class X, class H, class D, class O>
BM_FN void integrate(X (&u)[VARIABLES], const X (&start)[VARIABLES], const X (&mean)[VARIABLES],
                     const H (&h)[VARIABLES], const PerVariable<D>& drift, const White<X>& white, const O& before,
                     const O& after, const Parameters& p) {
  // Euler-Maruyama has no correction: weak order 1. Stochastic Heun has one: for additive noise of weak order 2
  // (Kloeden, Platen 1992, section 15.5). Platen's predictor-corrector has two, and so three evaluations: the founding
  // paper's Algorithm 1, corrected.
  constexpr int CORRECTIONS = BM_METHOD == BM_EULER ? 0 : BM_METHOD == BM_PLATEN ? 2 : 1;
  X f[VARIABLES];
  [[maybe_unused]] X blown[VARIABLES], blown_there[VARIABLES];
  begin_forces(drift, f);
  model_forces(u, Absent(), before, p, f);
  if constexpr (BM_MULTIPLIED) multiplied_increments(u, Absent(), before, p, white, blown);
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    u[i] = fma(f[i], h[i], start[i]);
    if (has(BM_MULTIPLIED, i)) u[i] = u[i] + blown[i];
  }
  BM_UNROLL for (int correction = 0; correction < CORRECTIONS; correction++) {
    X there[VARIABLES];
    begin_forces(drift, there);
    model_forces(u, Absent(), after, p, there);
    if constexpr (BM_MULTIPLIED) multiplied_increments(u, Absent(), after, p, white, blown_there);
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      u[i] = fma(f[i] + there[i], h[i] * (real)0.5, mean[i]);
      if (has(BM_MULTIPLIED, i)) u[i] = fma(blown[i] + blown_there[i], (real)0.5, u[i]);
    }
  }
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
