// One step of m dv = [-gamma v + force(x) + g] dt + dW, dx = v dt. Increments are those of v.
#pragma once
#if BM_UNDERDAMPED

// What of a step depends on its length.
template <class H> struct Inertia {
  H move;   // dt / L: from v to u
  H time;   // dt / m: from a force to v
  H decay;  // exp(-gamma dt / m)
  H kick;   // (1 + decay) dt / 2m
};
BM_FN Inertia<real> inertia(Whole, const Parameters& p) { return {p.h, p.per_mass * p.dt, p.decay, p.kick}; }
template <class X> BM_FN Inertia<X> inertia(X fraction, const Parameters& p) {
  const X time = fraction * (p.per_mass * p.dt);
  if (BM_OWN_STEPS && !BM_COARSE && !any(fraction < (real)1)) return {X(p.h), time, X(p.decay), X(p.kick)};
  if constexpr (BM_METHOD != BM_ABOBA) return {fraction * p.h, time, X((real)1), time};
  const X decay = exp(fraction * -(p.damping * p.dt));
  return {fraction * p.h, time, decay, (decay + (real)1) * (time * (real)0.5)};
}

template <class X, class H, class D, class O>
BM_FN void integrate(X& u, X& v, X xi, D drift, const Inertia<H>& q, const O& before, const O& after,
                     const Parameters& p) {
  if constexpr (BM_METHOD == BM_ABOBA) {
    // Half a step of motion, the kick of all forces, friction and noise exactly, half a kick, half a step of motion: one
    // evaluation of the force, weak order 2 for thermal noise (Leimkuhler, Matthews, Appl. Math. Res. Express 2013, 34).
    const H half = q.move * (real)0.5;
    u = fma(v, half, u);
    v = fma(v, q.decay, fma(model_force(u, before, p) + with_force(drift, before), q.kick, xi));
    u = fma(v, half, u);
    return;
  }
  const auto acceleration = [&](X at, X speed, const O& when) {
    return fma(speed, -p.gamma, model_force(at, when, p) + with_force(drift, when));
  };
  const X a = acceleration(u, v, before);
  X u1 = fma(v, q.move, u), v1 = fma(a, q.time, v + xi);
  const H half = q.time * (real)0.5, half_move = q.move * (real)0.5;
  constexpr int CORRECTIONS = BM_METHOD == BM_EULER ? 0 : BM_METHOD == BM_HEUN ? 1 : 2;
  BM_UNROLL for (int i = 0; i < CORRECTIONS; i++) {
    const X v2 = fma(a + acceleration(u1, v1, after), half, v + xi);
    u1 = fma(v + v1, half_move, u);
    v1 = v2;
  }
  u = u1;
  v = v1;
}
#endif
