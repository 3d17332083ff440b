// What counters look at (levels.h): the position of one variable, or a formula of positions and velocities.
#pragma once
#include "dual.h"
#include "motion.h"

#define BM_LINEAR 1
#define BM_ANY_FORMULA 2

namespace bmsim_kernel {

// Variables whose white noise moves what is seen within a step: by their positions, or with inertia by velocities.
constexpr uint32_t SEEN_MOVED = (BM_SEEN_VARIABLES & ~BM_INERTIAL) | BM_SEEN_VELOCITIES;

#if BM_METHOD == BM_WALK
// Of a walk (walk_clock.h) the edges of the pieces are counted, in all periods, twice each: 2 k at edge k, 2 k + 1
// inside of the piece on its right. Levels are edges.
constexpr double SEEN_PER_PERIOD = 2 * decltype(Parameters::walk)::pieces;
template <class X> BM_FN X seen_of_walk(const X& whole, const X& piece, const X& inside) {
  return fma(whole, (real)SEEN_PER_PERIOD, fma(piece, (real)2, inside));
}
BM_FN real seen_at_start(Trajectories& s, int l, const Parameters& p) {
  const real u = s.position[SEEN][l], whole = rint(u - (p.walk.edge[0] + (real)0.5));
  real piece = 0;
  for (uint32_t j = 1; j < decltype(Parameters::walk)::pieces; j++)
    piece = u - whole >= p.walk.edge[j] ? (real)j : piece;
  return seen_of_walk(whole, piece, (real)1);
}
#else
constexpr double SEEN_PER_PERIOD = 1;
template <class S> BM_FN real seen_at_start(S& s, int l, const Parameters& p) {
  const auto place = place_of(s, l);
  return seen_value(place.u, place.v, p);
}
#endif

// Y: numbers of X, or dual ones.
#if BM_SEEN_FORMULA == BM_ANY_FORMULA
template <class Y, class V> BM_FN Y seen_value(const Y (&u)[VARIABLES], const V& v, const Parameters& p) {
  Y values[OBSERVED];
  observed_values(u, v, Outside<real>(), p, values);
  return values[OBSERVED - 1];
}
BM_FN double seen_periods(Trajectories&, int, const Parameters&) { return 0; }  // it has the periods of its variables
#elif BM_SEEN_FORMULA == BM_LINEAR
template <class Y, class V>
BM_FN Y seen_value(const Y (&u)[VARIABLES], [[maybe_unused]] const V& v, const Parameters& p) {
  Y sum = Y(p.seen_formula.offset);
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) if (has(BM_SEEN_VARIABLES, i)) sum =
      fma(u[i], Y(p.seen_formula.slope[i]), sum);
  if constexpr (BM_SEEN_VELOCITIES > 0)
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) if (has(BM_SEEN_VELOCITIES, i)) sum =
        fma(v[velocity_of(i)], Y(p.seen_formula.speed[velocity_of(i)]), sum);
  return sum;
}
// What whole periods that have been taken off add.
BM_FN double seen_periods(Trajectories& s, int l, const Parameters& p) {
  double sum = 0;
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) sum += p.seen_formula.per_period[i] * s.periods[i][l];
  return sum;
}
#else
template <class Y, class V> BM_FN Y seen_value(const Y (&u)[VARIABLES], const V&, const Parameters&) { return u[SEEN]; }
BM_FN double seen_periods(Trajectories& s, int l, const Parameters&) { return s.periods[SEEN][l] * SEEN_PER_PERIOD; }
#endif

// The variance of the change of a formula in a step from there on, by the white noises that move variables of this
// mask, of velocities where there is inertia, and by those with amplitudes. They are independent: their variances add.
// formula(u, v): its value, of dual numbers.
template <class X, class V, class O, class F>
BM_FN X deviation_of(const X (&u)[VARIABLES], [[maybe_unused]] const V& v, [[maybe_unused]] const O& outside,
                     uint32_t moved, const Parameters& p, F formula) {
  X variance = X((real)0), last = variance, along[VARIABLES];
  const auto add = [&]() BM_FN_LAMBDA {
    Dual<X> position[VARIABLES], velocity[VELOCITIES > 0 ? VELOCITIES : 1];
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      position[i] = u[i];
      if (!is_inertial(i)) position[i].slope = along[i];
      if constexpr (VELOCITIES > 0)
        if (is_inertial(i)) velocity[velocity_of(i)] = Dual<X>(X(v[velocity_of(i)]), along[i]);
    }
    const X change = formula(position, velocity).slope;
    variance = fma(change, change, variance);
    last = change;
  };
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
    if (!has(moved & BM_WHITE, i)) continue;
    BM_UNROLL for (int j = 0; j < VARIABLES; j++) along[j] = X(j == i ? undamped_deviation(i, p) : (real)0);
    add();
  }
  if constexpr (BM_MULTIPLIED) BM_UNROLL for (int k = index_of(BM_WHITE, VARIABLES); k < BM_SOURCES; k++) {
      White<real> unit;
      BM_UNROLL for (int i = 0; i < BM_SOURCES; i++) unit.of[i] = i == k ? source_deviation(k, p) : NOTHING;
      multiplied_increments(u, v, outside, p, unit, along);
      add();
    }
  return BM_SOURCES == 1 ? absolute(last) : sqrt(variance);
}

// None where the slope is infinite or is not defined.
template <class X, class V> BM_FN X seen_deviation(const X (&u)[VARIABLES], const V& v, const Parameters& p) {
  const X deviation = deviation_of(u, v, Outside<real>(), SEEN_MOVED, p,
                                   [&](const auto& position, const auto& velocity)
                                       BM_FN_LAMBDA { return seen_value(position, velocity, p); });
  return select(deviation < FARTHEST, deviation, (real)0);
}

// What is seen; and the standard deviation of its change in a step from there on, where that depends on the state. With
// method adaptive, whose steps have many lengths, in the step before.
#if BM_SEEN_SPREADS
template <class X> struct Seen { X at, deviation; };
template <class X> BM_FN X beyond(const Seen<X>& seen, real deviations) {
  return fma(seen.deviation, deviations, seen.at);
}
template <class X> BM_FN Seen<X> seen_of(const Motion<X>& z, const Parameters& p) {
  return {seen_value(z.u, z.v, p), seen_deviation(z.u, z.v, p)};
}
template <class X> BM_FN Seen<X> seen_after(const X& u, const X& length, const Parameters& p) {
  return {u, sqrt(length) * white_deviation(SEEN, p)};
}
BM_FN Seen<Part> part(const Seen<T>& all, int g) { return {part(all.at, g), part(all.deviation, g)}; }
BM_FN Seen<real> get_lane(const Seen<Part>& all, int i) { return {get_lane(all.at, i), get_lane(all.deviation, i)}; }
struct SeenSlots {
  Slot<real> at, deviation;
  BM_FN_MEMBER explicit SeenSlots(const Seen<T>& all) {
    store(at, all.at);
    store(deviation, all.deviation);
  }
  BM_FN_MEMBER Seen<real> operator[](int l) { return {at[l], deviation[l]}; }
};
#else
template <class X> struct Seen {
  X at;
  BM_FN_MEMBER Seen(const X& value) : at(value) {}
};
template <class X> BM_FN X beyond(const Seen<X>& seen, real) { return seen.at; }
template <class X> BM_FN Seen<X> seen_of(const Motion<X>& z, const Parameters& p) { return seen_value(z.u, z.v, p); }
template <class X> BM_FN Seen<X> seen_after(const X& u, const X&, const Parameters&) { return u; }
BM_FN Seen<Part> part(const Seen<T>& all, int g) { return part(all.at, g); }
BM_FN Seen<real> get_lane(const Seen<Part>& all, int i) { return get_lane(all.at, i); }
struct SeenSlots {
  Slot<real> at;
  BM_FN_MEMBER explicit SeenSlots(const Seen<T>& all) { store(at, all.at); }
  BM_FN_MEMBER Seen<real> operator[](int l) { return at[l]; }
};
#endif

}  // namespace bmsim_kernel
