// One step of dx = [force(x) + g] dt + dW, in units of the period: u = x / L, h = dt / L. Every stage contains the
// whole drift, and all stages share one increment. `start` and `mean` are the positions after the step without the
// potential's force: with the other drifts at the beginning of the step, and with their average over the step. They
// differ only if something depends on time.
#pragma once
#include "calls.h"

namespace bmsim_kernel {

template <class X, class H, class O>
BM_FN X integrate(X u, X start, X mean, H h, const O& before, const O& after, const Parameters& p) {
  const X f = model_force(u, before, p);
  // Euler-Maruyama: weak order 1
  if constexpr (BM_METHOD == BM_EULER) return fma(f, h, start);
  const H half = h * (real)0.5;
  const X predicted = fma(f, h, start);
  // Stochastic Heun: for additive noise of weak order 2 (Kloeden, Platen 1992, section 15.5)
  if constexpr (BM_METHOD == BM_HEUN || BM_METHOD == BM_ADAPTIVE)
    return fma(f + model_force(predicted, after, p), half, mean);
  // Platen's predictor-corrector with a corrected predictor, three evaluations: the founding paper's Algorithm 1,
  // corrected
  const X again = fma(f + model_force(predicted, after, p), half, mean);
  return fma(f + model_force(again, after, p), half, mean);
}

// The founding paper's Algorithm 1 to the letter: `noises`, their drift and jumps, enters only the last line. The two
// forces are those independent of x, at the beginning and at the end of the step.
template <class X> BM_FN X integrate_paper(X u, X xi, X noises, real force, real force_after, const Parameters& p) {
  const Outside<real> none{};
  const real half = p.h * (real)0.5;
  const X f = model_force(u, none, p) + force;
  X predicted = u + f * p.h + xi;
  predicted = u + (f + (model_force(predicted, none, p) + force_after)) * half + xi;
  return u + (f + (model_force(predicted, none, p) + force_after)) * half + xi + noises;
}

}  // namespace bmsim_kernel
