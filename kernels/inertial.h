// One step of m dv = [-gamma v + force(x) + g] dt + dW, dx = v dt, for all variables that have inertia, and of dx =
// [force(x) + g] dt + dW for the others. Increments are increments of v.
#pragma once
#include "integrators.h"

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
template <class X> BM_FN Inertia<X> whole_inertia(const VariableParameters& q, const Parameters& p) {
  const real half = q.move * (real)0.5;
  if constexpr (BM_METHOD == BM_ABOBA)
    return {X(half),        X(half),      X(q.per_mass * p.dt), X(q.decay),          X(q.kick),
            X(q.half_kick), X(q.impulse), X(q.early),           X((real)1 - q.early)};
  const X none = X((real)0);
  return {X(half), X(half), X(q.per_mass * p.dt), X(q.decay), X(q.kick), none, X(q.per_mass), none, none};
}
template <class X> BM_FN Inertia<X> inertia(X fraction, const VariableParameters& q, const Parameters& p) {
  if constexpr (BM_METHOD != BM_ABOBA) {
    const X half = fraction * q.h * (real)0.5, time = fraction * (q.per_mass * p.dt);
    const X none = X((real)0);
    return {half, half, time, X((real)1), time, none, X(q.per_mass), none, none};
  }
  if (BM_OWN_STEPS && !BM_COARSE && !any(fraction < (real)1)) return whole_inertia<X>(q, p);
  const X time = fraction * (q.per_mass * p.dt), decay = exp(fraction * -(q.damping * p.dt));
  const X y = fraction * q.half_damping;
  // w = y coth(y) - 1
  const X small = minimum(y, (real)0.5), s = small * small;
  const X series = s * fma(s, fma(s, X((real)27), (real)2772), (real)45045) /
                   fma(s, fma(s, s + (real)378, (real)17325), (real)135135);
  const X w = select(y < (real)0.5, series, y * (decay + (real)1) / maximum((real)1 - decay, (real)0.5) - (real)1);
  const X root = sqrt(w + (real)1), b = (real)1 / root;
  const X half_move = fraction * (q.h * (real)0.5) * b, half_kick = time * (real)0.5 * b;
  const X shift = q.lead - w / (root + (real)1) * q.reach;
  const X impulse = (decay + (real)1) * b * ((real)0.5 * q.per_mass);
  const X early = fraction * ((real)0.5 - fma(y / (w + (real)1), y, w) / maximum(y, (real)1e-12) * (real)0.25);
  return {half_move + shift, half_move - shift, time,  decay,           (decay + (real)1) * half_kick,
          half_kick,         impulse,           early, fraction - early};
}
BM_FN Inertia<real> inertia(WholeStep, const VariableParameters& q, const Parameters& p) {
  return whole_inertia<real>(q, p);
}

template <class X> struct AllInertia { Inertia<X> of[VARIABLES]; };
// Made in place: g++ copies elements that are assigned through memory, a fifth of the time of a step with events.
template <class L, int... I> BM_FN auto all_inertia(L length, const Parameters& p, Indices<I...>) {
  return AllInertia<decltype(time_of(length, p))>{{inertia(length, p.variable[I], p)...}};
}

// Method aboba: all variables have inertia. force: set to the forces of the kick. Z: Motion of X, or Stage of dual
// numbers (tangent.h).
template <template <class> class Z, class Y, class X, class H, class D, class O>
BM_FN void integrate_aboba(Z<Y>& z, const X (&xi)[VARIABLES], const PerVariable<D>& drift, const AllInertia<H>& q,
                           const O& outside, const Parameters& p, Y (&force)[VARIABLES]) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) z.u[i] = fma(z.v[i], q.of[i].first, z.u[i]);
  begin_forces(drift, outside, force);
  if constexpr (BM_BEHIND) {
    Y before_walls[VARIABLES];
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) before_walls[i] = z.u[i];
    bring_before_walls(before_walls, p);
    model_forces(before_walls, z.v, outside, p, force);
  } else {
    model_forces(z.u, z.v, outside, p, force);
  }
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    z.v[i] = fma(z.v[i], q.of[i].decay, fma(force[i], q.of[i].kick, xi[i]));
    z.u[i] = fma(z.v[i], q.of[i].last, z.u[i]);
  }
}

// Other methods, with inertia for some variables at least; see integrators.h. xi: increments of the velocities; start,
// mean, h: of the variables without inertia; noise: as there.
template <template <class> class Z, class Y, class X, class H, class D, class L, class O>
BM_FN void integrate_inertial(Z<Y>& z, const X (&xi)[VARIABLES], const PerVariable<D>& drift, const AllInertia<H>& q,
                              const X (&start)[VARIABLES], const L (&h)[VARIABLES], const MultipliedNoise<X>& noise,
                              const O& before, const O& after, const Parameters& p) {
  const auto forces = [&](const O& when, Y(&f)[VARIABLES]) BM_FN_LAMBDA {
    begin_forces(drift, when, f);
    model_forces(z.u, z.v, when, p, f);
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      if (!is_inertial(i)) continue;
      f[i] = fma(z.v[velocity_of(i)], -p.variable[i].gamma, f[i]);
    }
  };
  const Z<Y> from = z;
  Y f[VARIABLES], there[VARIABLES];
  [[maybe_unused]] Y multiplied[VARIABLES], multiplied_there[VARIABLES];
  forces(before, f);
  if constexpr (BM_MULTIPLIED) multiplied_increments(z.u, z.v, before, p, noise.white, multiplied);
  [[maybe_unused]] Stage<Y> first, drifted;
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    first.u[i] = from.u[i];
    if (is_inertial(i)) {
      const int k = velocity_of(i);
      const H half_move = q.of[i].first;
      first.v[k] = from.v[k];
      z.u[i] = fma(from.v[k], half_move + half_move, from.u[i]);
      z.v[k] = fma(f[i], q.of[i].time, from.v[k] + xi[i]);
      drifted.u[i] = z.u[i], drifted.v[k] = z.v[k];
      if (has(BM_MULTIPLIED, i)) z.v[k] = z.v[k] + multiplied[i];
    } else {
      drifted.u[i] = z.u[i] = fma(f[i], h[i], moved_from(from.u[i], start[i]));
      if (has(BM_MULTIPLIED, i)) z.u[i] = z.u[i] + multiplied[i];
    }
  }
  if constexpr (PLATEN_AMPLITUDE) platen_increments(first, drifted, noise, before, after, p, multiplied);
  [[maybe_unused]] Replaced<X> replaced;
  if constexpr (BM_VANISHING) replaced = stay_before_walls(first, drifted, h, noise, before, p, z.u, multiplied);
  [[maybe_unused]] X force[VARIABLES];
  if constexpr (BM_WALLS) BM_UNROLL for (int i = 0; i < VARIABLES; i++) force[i] = value_of(f[i]);
  BM_UNROLL for (int correction = 0; correction < CORRECTIONS; correction++) {
    [[maybe_unused]] X turned[VARIABLES];
    if constexpr (BM_WALLS) mirror(z.u, p, turned);
    if constexpr (BM_BEHIND) bring_before_walls(z.u, p);
    forces(after, there);
    if constexpr (BM_MULTIPLIED && !PLATEN_AMPLITUDE)
      multiplied_increments(z.u, z.v, after, p, noise.white, multiplied_there);
    if constexpr (BM_ONE_SIDED && !PLATEN_AMPLITUDE) take_defined(multiplied_there, multiplied);
    if constexpr (BM_VANISHING) keep_replaced(replaced, multiplied, multiplied_there);
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      if (is_inertial(i)) {
        const int k = velocity_of(i);
        Y v = fma(f[i] + there[i], q.of[i].time * (real)0.5, from.v[k] + xi[i]);
        if (has(BM_MULTIPLIED, i))
          v = PLATEN_AMPLITUDE ? v + multiplied[i] : fma(multiplied[i] + multiplied_there[i], (real)0.5, v);
        z.u[i] = fma(from.v[k] + z.v[k], q.of[i].first, from.u[i]);
        z.v[k] = v;
      } else {
        if constexpr (BM_WALLS) take_turned(i, there[i], f[i], X((real)0), turned[i]);
        if constexpr (BM_WALLS) force[i] = value_of(f[i] + there[i]) * (real)0.5;
        z.u[i] = fma(f[i] + there[i], h[i] * (real)0.5, moved_from(from.u[i], start[i]));
        if (has(BM_MULTIPLIED, i))
          z.u[i] =
              PLATEN_AMPLITUDE ? z.u[i] + multiplied[i] : fma(multiplied[i] + multiplied_there[i], (real)0.5, z.u[i]);
      }
    }
  }
  Push<X> push;
  if constexpr (BM_WALLS) reflect_by_law(z.u, from.u, force, X((real)0), h, p, push);
}

// A jump of variable i, of its velocity if it has inertia. With aboba a jump of v moves u, too (see above).
BM_FN void kick(Place& place, int i, real jump, const Parameters& p) {
  if (!is_inertial(i)) {
    place.u[i] += jump;
    return;
  }
  place.v[velocity_of(i)] += jump;
  if constexpr (BM_METHOD == BM_ABOBA) place.u[i] -= p.variable[i].lead * jump;
}

}  // namespace bmsim_kernel
