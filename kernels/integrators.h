// One step of dx = [force(x) + g] dt + dW for every variable, in units of the period: u = x / L, h = dt / L. Every
// stage contains the whole drift, and all stages share one increment. `start` and `mean` are the positions after the
// step without the forces that depend on x: with the other drifts at the beginning of the step, and with their average
// over the step. They differ only if something depends on time.
#pragma once
#include "calls.h"

namespace bmsim_kernel {

template <class X, class H, class O>
BM_FN void integrate(X (&u)[VARIABLES], const X (&start)[VARIABLES], const X (&mean)[VARIABLES],
                     const H (&h)[VARIABLES], const O& before, const O& after, const Parameters& p) {
  // Euler-Maruyama has no correction: weak order 1. Stochastic Heun has one: for additive noise of weak order 2
  // (Kloeden, Platen 1992, section 15.5). Platen's predictor-corrector has two, and so three evaluations: the founding
  // paper's Algorithm 1, corrected.
  constexpr int CORRECTIONS = BM_METHOD == BM_EULER ? 0 : BM_METHOD == BM_PLATEN ? 2 : 1;
  X f[VARIABLES];
  model_forces(u, Absent(), before, p, f);
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) u[i] = fma(f[i], h[i], start[i]);
  BM_UNROLL for (int correction = 0; correction < CORRECTIONS; correction++) {
    X there[VARIABLES];
    model_forces(u, Absent(), after, p, there);
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) u[i] = fma(f[i] + there[i], h[i] * (real)0.5, mean[i]);
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
