// A trajectory in motion: Motion (trajectory.h) and what changes it.
#pragma once
#include "calls.h"

namespace bmsim_kernel {

constexpr int PHASES = BM_PHASES > 0 ? BM_PHASES : 1, AVERAGES = BM_AVERAGES > 0 ? BM_AVERAGES : 1;
constexpr real FARTHEST = (real)1e30;  // beyond this |x / L| a path has diverged

struct WholeStep {};  // the length of a step that no event ends; other lengths are fractions of it

template <class X, template <class> class S> BM_FN S<Part> part_of(const S<X>& all, int g) {
  S<Part> some;
  each_member(some, all, [&](auto& to, const auto& from) { to = part(from, g); });
  return some;
}
template <class X, template <class> class S> BM_FN void set_part_of(S<X>& all, int g, const S<Part>& some) {
  each_member(all, some, [&](auto& to, const auto& from) { set_part(to, g, from); });
}

// Duration of a step, and its change of u of variable i per unit force.
BM_FN real time_of(WholeStep, const Parameters& p) { return p.dt; }
template <class X> BM_FN X time_of(X fraction, const Parameters& p) { return fraction * p.dt; }
BM_FN real move_of(int i, WholeStep, const Parameters& p) { return p.variable[i].h; }
template <class X> BM_FN X move_of(int i, X fraction, const Parameters& p) { return fraction * p.variable[i].h; }

// Position and velocity of lane `lane`.
template <class X> BM_FN Place place_of(const Motion<X>& z, int lane) {
  Place place = {};
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) place.u[i] = get_lane(z.u[i], lane);
  BM_UNROLL for (int i = 0; i < VELOCITIES; i++) place.v[i] = get_lane(z.v[i], lane);
  return place;
}

template <class X> BM_FN void set_place(Motion<X>& z, int lane, const Place& place) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) set_lane(z.u[i], lane, place.u[i]);
  BM_UNROLL for (int i = 0; i < VELOCITIES; i++) set_lane(z.v[i], lane, place.v[i]);
}

// Standard deviation of what white noise alone would change variable i by in a step, or its velocity. Friction damps
// the change over the whole step (aboba), but what noise does within a step, of which counters and events at zeros must
// know, is that of a Brownian bridge of the whole noise.
BM_FN real undamped_deviation(int i, const Parameters& p) {
  const real deviation = white_deviation(i, p);
  if constexpr (BM_METHOD != BM_ABOBA) return deviation;
  return deviation * sqrt(p.variable[i].per_thermal);
}

// The part of the mean of v^2 of variable i over a step that does not depend on v: see step.h.
BM_FN real constant_square(int i, const Parameters& p) {
  if constexpr (BM_METHOD != BM_ABOBA) return 0;
  const real deviation = white_deviation(i, p);
  return p.variable[i].noise_square * deviation * deviation;
}

// Whether a trajectory of the group has diverged.
BM_FN bool any_diverged(const Motion<T>& z) {
  bool some = false;
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) some = any(!(absolute(z.u[i]) <= FARTHEST)) || some;
  return some;
}
// Ends trajectories that have diverged, by one of their variables; steps: their present clock. Nothing they do matters
// any more.
BM_RARE void end_diverged(Trajectories& s, const T& u, double steps) {
  Slot<real> position;
  store(position, u);
  for (int l = 0; l < LANES; l++) {
    const bool runs_on =
        (BM_METHOD == BM_EXACT || BM_METHOD == BM_WALK) && s.stage[l] == DONE;  // what follows its end does not matter
    if (runs_on || s.stage[l] == DIVERGED || absolute(position[l]) <= (real)FARTHEST) continue;
    s.stage[l] = DIVERGED;
    s.window_start[0][l] = steps;
  }
}
BM_FN void end_diverged(Trajectories& s, const Motion<T>& z, double steps) {
  for (int i = 0; i < VARIABLES; i++) end_diverged(s, z.u[i], steps);
}

// Constants between events: drift of the noises and the constant force (times h where it is added to u). One number for
// all trajectories if no state matters.
BM_FN real drift_of(int i, Trajectories& s, const Parameters& p, int l) {
  return model_drift(i, s, p, l) * (is_inertial(i) || VARIABLES > 1 ? (real)1 : p.variable[i].h);
}
// With several variables the forces of a stage contain the drift.
constexpr bool DRIFT_IN_FORCES = VARIABLES > 1;
// of_trajectory(l) for all trajectories, or one number if it is the same for all.
template <bool VARIES, class F> BM_FN auto load_each(F of_trajectory) {
  if constexpr (VARIES) {
    Slot<real> values;
    for (int l = 0; l < LANES; l++) values[l] = of_trajectory(l);
    return load(values);
  } else {
    return of_trajectory(0);
  }
}
template <class D> struct PerVariable {
  typedef D Each;
  D of[VARIABLES];
};
BM_FN auto load_drift(Trajectories& s, const Parameters& p) {
  const auto of_variable = [&](int i) BM_FN_LAMBDA {
    return load_each<BM_DRIFT_VARIES>([&](int l) BM_FN_LAMBDA { return drift_of(i, s, p, l); });
  };
  PerVariable<decltype(of_variable(0))> drift;
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) drift.of[i] = of_variable(i);
  return drift;
}
template <class D> BM_FN auto part(const PerVariable<D>& all, int g) {
  PerVariable<decltype(part(all.of[0], g))> some;
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) some.of[i] = part(all.of[i], g);
  return some;
}
// What model_forces adds the forces of a stage to.
template <class X, class D, class O>
BM_FN void begin_forces(const PerVariable<D>& drift, const O& outside, X (&f)[VARIABLES]) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) f[i] = DRIFT_IN_FORCES ? X(drift.of[i]) : X(NOTHING);
  if constexpr (!DRIFT_IN_FORCES && BM_INERTIAL)
    f[0] = X(with_force(drift.of[0], outside));
  else if constexpr (FORCED_APART && !DRIVEN_START)
    f[0] = X(outside.force[0]);
}
// Sets lane i of part g of a value per trajectory, or the one value of all.
template <class V> BM_FN void set_one(V& values, int g, int i, real value) {
  if constexpr (sizeof(V) == sizeof(T)) {
    Part some = part(values, g);
    set_lane(some, i, value);
    set_part(values, g, some);
  } else {
    values = value;
  }
}
template <class D> BM_FN void set_drift(PerVariable<D>& drift, int g, int lane, Trajectories& s, const Parameters& p) {
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) set_one(drift.of[i], g, lane, drift_of(i, s, p, g * WIDTH + lane));
}
typedef decltype(load_drift(*(Trajectories*)0, *(const Parameters*)0)) Drift;

// Contributions of noises with states to factors of forces: of the potential's, and of amplitudes.
template <class X, bool HAS = (BM_FACTORS > 0)> struct Factors { X of[BM_FACTORS > 0 ? BM_FACTORS : 1]; };
template <class X> struct Factors<X, false> { static constexpr Absent of = {}; };
BM_FN Factors<T> load_factors(Trajectories& s, const Parameters& p) {
  Factors<T> factors;
  BM_UNROLL for (int k = 0; k < BM_FACTORS; k++) factors.of[k] =
      load_each<true>([&](int l) BM_FN_LAMBDA { return model_factor(k, s, p, l); });
  return factors;
}
BM_FN Factors<Part> part(const Factors<T>& all, int g) {
  Factors<Part> some;
  BM_UNROLL for (int k = 0; k < BM_FACTORS; k++) some.of[k] = part(all.of[k], g);
  return some;
}
BM_FN void set_factors(Factors<T>& factors, int g, int lane, Trajectories& s, const Parameters& p) {
  BM_UNROLL for (int k = 0; k < BM_FACTORS; k++)
      set_one(factors.of[k], g, lane, model_factor(k, s, p, g * WIDTH + lane));
}

}  // namespace bmsim_kernel
