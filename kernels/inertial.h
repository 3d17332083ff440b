// One step of m dv = [-gamma v + force(x) + g] dt + dW, dx = v dt. Increments are increments of v.
#pragma once
#include "motion.h"

namespace bmsim_kernel {

// Quantities that depend on the length of a step.
//
// Method aboba: half a step of motion; the kick of all forces with exact friction and noise; half a step of motion. It
// needs one evaluation of the force and has weak order 2 for thermal noise (B. Leimkuhler, C. Matthews, Appl. Math.
// Res. Express 2013, 34). Motion and kick are scaled by b, b^2 = tanh(y)/y, y = gamma dt/2m (D. A. Sivak, J. D.
// Chodera, G. E. Crooks, J. Phys. Chem. B 118, 6466, 2014). Then, for any y, drift under a constant force (f/gamma) and
// diffusion (T/gamma) are exact; and in a harmonic potential so are <x^2> at the ends of steps and <v^2> before and
// after friction and noise.
//
// In steps of one length a particle of velocity v comes to rest after a further distance m v/(gamma b). A shortened
// step has another b, b'. It is made with x moved such that the point of rest, x + m v/(gamma b), stays the same, and x
// is moved back at its end. So drift and diffusion of a free particle are exact however steps are cut. A kick moves x
// back by `lead`, so that it takes the particle m v/gamma further.
template <class H> struct Inertia {
  H first, last;  // factor from v to the change of u, before and after the kick
  H time;         // dt / m: factor from a force to the change of v
  H decay;        // exp(-gamma dt / m)
  H kick;         // (1 + decay) b dt / 2m
  H half_kick;    // b dt / 2m
  H impulse;      // factor from the momentum of a force over the step to the change of v: (1 + decay) b / 2m
  H early, late;  // weights of v^2 before and after friction and noise, in whole steps
};
template <class X> BM_FN Inertia<X> whole_inertia(const Parameters& p) {
  const real half = p.move * (real)0.5;
  if constexpr (BM_METHOD == BM_ABOBA)
    return {X(half),        X(half),      X(p.per_mass * p.dt), X(p.decay),          X(p.kick),
            X(p.half_kick), X(p.impulse), X(p.early),           X((real)1 - p.early)};
  const X none = X((real)0);
  return {X(half), X(half), X(p.per_mass * p.dt), X(p.decay), X(p.kick), none, X(p.per_mass), none, none};
}
template <class X> BM_FN Inertia<X> inertia(X fraction, const Parameters& p) {
  if constexpr (BM_METHOD != BM_ABOBA) {
    const X half = fraction * p.h * (real)0.5, time = fraction * (p.per_mass * p.dt);
    const X none = X((real)0);
    return {half, half, time, X((real)1), time, none, X(p.per_mass), none, none};
  }
  if (BM_OWN_STEPS && !BM_COARSE && !any(fraction < (real)1)) return whole_inertia<X>(p);
  const X time = fraction * (p.per_mass * p.dt), decay = exp(fraction * -(p.damping * p.dt));
  const X y = fraction * p.half_damping;
  // w = y coth(y) - 1
  const X small = minimum(y, (real)0.5), s = small * small;
  const X series = s * fma(s, fma(s, X((real)27), (real)2772), (real)45045) /
                   fma(s, fma(s, s + (real)378, (real)17325), (real)135135);
  const X w = select(y < (real)0.5, series, y * (decay + (real)1) / maximum((real)1 - decay, (real)0.5) - (real)1);
  const X root = sqrt(w + (real)1), b = (real)1 / root;
  const X half_move = fraction * (p.h * (real)0.5) * b, half_kick = time * (real)0.5 * b;
  const X shift = p.lead - w / (root + (real)1) * p.reach;
  const X impulse = (decay + (real)1) * b * ((real)0.5 * p.per_mass);
  const X early = fraction * ((real)0.5 - fma(y / (w + (real)1), y, w) / maximum(y, (real)1e-12) * (real)0.25);
  return {half_move + shift, half_move - shift, time,  decay,           (decay + (real)1) * half_kick,
          half_kick,         impulse,           early, fraction - early};
}
BM_FN Inertia<real> inertia(WholeStep, const Parameters& p) { return whole_inertia<real>(p); }

// Returns the force of the kick, for method aboba.
template <class X, class H, class D, class O>
BM_FN X integrate(X& u, X& v, X xi, D drift, const Inertia<H>& q, const O& before, const O& after,
                  const Parameters& p) {
  if constexpr (BM_METHOD == BM_ABOBA) {
    u = fma(v, q.first, u);
    const X force = model_force(u, before, p) + with_force(drift, before);
    v = fma(v, q.decay, fma(force, q.kick, xi));
    u = fma(v, q.last, u);
    return force;
  }
  const auto acceleration = [&](X at, X speed, const O& when) {
    return fma(speed, -p.gamma, model_force(at, when, p) + with_force(drift, when));
  };
  const X a = acceleration(u, v, before);
  const H half = q.time * (real)0.5, half_move = q.first;
  X u1 = fma(v, half_move + half_move, u), v1 = fma(a, q.time, v + xi);
  constexpr int CORRECTIONS = BM_METHOD == BM_EULER ? 0 : BM_METHOD == BM_HEUN ? 1 : 2;
  BM_UNROLL for (int i = 0; i < CORRECTIONS; i++) {
    const X v2 = fma(a + acceleration(u1, v1, after), half, v + xi);
    u1 = fma(v + v1, half_move, u);
    v1 = v2;
  }
  u = u1;
  v = v1;
  return a;
}

// A jump of u, or of v. With aboba a jump of v moves u, too (see above).
BM_FN void kick(real& u, real& moved, real jump, const Parameters& p) {
  moved += jump;
  if constexpr (BM_METHOD == BM_ABOBA) u -= p.lead * jump;
}

}  // namespace bmsim_kernel
