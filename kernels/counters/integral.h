// Integrals along a path over the window: of a function of the state and t over time, and of such a function, or of a
// force, over a position or a velocity in the sense of Stratonovich, f o dx. Both ends of a step count by half, which
// is of second order; a shortened step has its own ends.
//
// Sums are of the values at both ends together, times steps or changes of u or v: the host divides by 2.
//
// On the common clock the work of a drive F on a position is added up by places, one fused operation a step: the sum of
// (F_i + F_i+1) (u_i+1 - u_i) contains u_i times F_i-1 - F_i+1, which is known before the step (Outside::fall); and the
// last place, of the window or of a block, where u is folded, times F_i-1 + F_i. With aboba, which has F in the middle
// of a step alone, these are the differences and values of the middles. (On other clocks a path that stands still at
// its end must add exactly nothing.)
//
// The integral of a velocity over itself is its squares at the ends of the window, unless events change it between
// steps. With aboba forces are those in the middle of a step, which move it: their integral less the change of m v^2/2
// then is what friction and noise take from v, exactly.
#pragma once
#include "counter.h"
#include "motion.h"

namespace bmsim_kernel {

constexpr int OVER_TIME = -1;  // else the variable, or VARIABLES + the number of the velocity
constexpr int OF_DRIVING = -1, OF_FORCE = -2, OF_VELOCITY = -3;  // else the number of an observed function

// What integral k is over, and of.
BM_FN constexpr int over(int k) {
  constexpr int all[] = {BM_INTEGRATORS};
  return all[k];
}
BM_FN constexpr int of(int k) {
  constexpr int all[] = {BM_INTEGRANDS};
  return all[k];
}
// Whether some integral is of something from a to b.
BM_FN constexpr bool any_of(int a, int b) {
  for (int k = 0; k < (int)IntegralValues::count; k++)
    if (of(k) >= a && of(k) <= b) return true;
  return false;
}

class Integral : public Counter {
 public:
  typedef IntegralValues Values;
  // The value at the end of a step is that at the beginning of the next, unless events may change the state between
  // them, or, with aboba, the time: both ends of its steps have that of the middle.
  static constexpr bool RESUMES = BM_JUMPS == 0 && (BM_METHOD != BM_ABOBA || BM_PHASES == 0);

  BM_FN_MEMBER Integral(Trajectories& s, const Parameters& p, const Launch& launch) : Counter(s, p, launch) {}

  template <class X> BM_FN_MEMBER static void begin_window(Motion<X>& z, Trajectories& s, int l, int i) {
    BM_UNROLL for (int k = 0; k < TERMS; k++) {
      const real integrand = get_lane(z.integrand[k], i);
      const double begin = by_ends(k) ? (double)get_lane(place(z, k), i) : 0;
      s.integral.sum[k][l] = -begin * begin;
      set_lane(z.integral[k], i,
               adds_ends(k)   ? integrand * HALF
               : by_places(k) ? -integrand * get_lane(place(z, k), i)
                              : (real)0);
    }
  }
  template <class X, class O> BM_FN_MEMBER static void resume(Motion<X>& z, const O& outside, const Parameters& p) {
    X values[TERMS];
    integrands(z, outside, p, values);
    BM_UNROLL for (int k = 0; k < TERMS; k++) z.integrand[k] = by_places(k) ? X(NOTHING) : values[k];
  }
  template <class X, class L, class O>
  BM_FN_MEMBER static void before_step(Motion<X>& z, const L&, const O& before, const O&, const Parameters& p) {
    if constexpr (!RESUMES) resume(z, before, p);
    // The integrator has the sum of both ends, too; aboba knows the middle alone.
    if constexpr (any_of(OF_DRIVING, OF_DRIVING))
      BM_UNROLL for (int k = 0; k < TERMS; k++) if (of(k) == OF_DRIVING && !by_places(k)) z.integrand[k] =
          BM_METHOD == BM_ABOBA ? X(NOTHING) : driving<X>(k, before);
    if constexpr (BM_FALLS > 0)
      BM_UNROLL for (int k = 0; k < TERMS; k++) if (by_places(k)) z.integral[k] =
          fma(X(before.fall[index_of(BM_FORCED, over(k))]), place(z, k), z.integral[k]);
    BM_UNROLL for (int k = 0; k < TERMS; k++) if (over(k) != OVER_TIME && !by_ends(k)) z.integral_from[k] = place(z, k);
  }
  template <class X> BM_FN_MEMBER static void push(Motion<X>& z, int i, const X& force) {
    BM_UNROLL for (int k = 0; k < TERMS; k++) if (of(k) == OF_FORCE && over(k) == i) z.integrand[k] = force;
  }
  template <class X, class L, class O>
  BM_FN_MEMBER static void after_step(Motion<X>& z, const L& length, const O& after, const Parameters& p) {
    X now[TERMS];
    integrands(z, after, p, now);
    add_formulas(z, after, p);
    BM_UNROLL for (int k = 0; k < TERMS; k++) {
      if (adds_formula(k) || by_places(k) || by_ends(k)) continue;
      if (adds_ends(k))
        add(z.integral[k], now[k], length);
      else if (over(k) == OVER_TIME)
        add(z.integral[k], z.integrand[k] + now[k], length);
      else
        add(z.integral[k], z.integrand[k] + now[k], place(z, k) - z.integral_from[k]);
    }
    if constexpr (RESUMES) BM_UNROLL for (int k = 0; k < TERMS; k++) if (!by_places(k)) z.integrand[k] = now[k];
  }
  template <class X, class O> BM_FN_MEMBER static void arrive(Motion<X>& z, const O& before, const O& here) {
    if constexpr (BM_FALLS > 0)
      BM_UNROLL for (int k = 0; k < TERMS; k++) if (by_places(k)) z.integrand[k] =
          BM_METHOD == BM_ABOBA ? driving<X>(k, before) : driving<X>(k, before) + driving<X>(k, here);
  }
  BM_FN_MEMBER static void settle(Motion<T>& z, Trajectories& s, int g) {
    BM_UNROLL for (int k = 0; k < TERMS; k++) {
      if (by_ends(k)) continue;
      const Part sum = part(z.integral[k], g);
      add_part(s.integral.sum[k], g, by_places(k) ? fma(part(z.integrand[k], g), part(place(z, k), g), sum) : sum);
      set_part(z.integral[k], g, Part((real)0));
      if (by_places(k)) set_part(z.integrand[k], g, Part((real)0));
    }
  }
  template <class F> BM_FN_MEMBER static void values(Trajectories& s, int l, bool diverged, F value) {
    BM_UNROLL for (int k = 0; k < TERMS; k++) {
      double sum = s.integral.sum[k][l];
      if constexpr (VELOCITIES > 0) {
        const double end = by_ends(k) ? (double)s.velocity[over(k) - VARIABLES][l] : 0;
        sum += end * end;
      }
      if (adds_ends(k)) sum = 2 * (sum - (double)(s.integral.integrand[k][l] * HALF));
      value((uint32_t)k) = diverged ? not_a_number() : sum;
    }
  }

 private:
  static constexpr int TERMS = (int)Values::count;
  // Steps of one length: values at their ends are added up, and half of the first and the last set right.
  static constexpr real HALF = (real)(BM_COARSE ? 1 : 0.5);
  BM_FN_MEMBER static constexpr bool adds_ends(int k) { return BM_COMMON_CLOCK && RESUMES && over(k) == OVER_TIME; }
  BM_FN_MEMBER static constexpr bool by_places(int k) {
    return BM_FALLS > 0 && of(k) == OF_DRIVING && over(k) < VARIABLES;
  }
  static_assert(BM_FALLS == 0 || (BM_COMMON_CLOCK && BM_JUMPS == 0));
  BM_FN_MEMBER static constexpr bool by_ends(int k) { return BM_JUMPS == 0 && !BM_ABSORBS && of(k) == OF_VELOCITY; }
  BM_FN_MEMBER static constexpr bool adds_formula(int k) { return adds_ends(k) && of(k) >= 0 && !BM_COARSE; }
  // What integral k is over.
  template <class X> BM_FN_MEMBER static X place(const Motion<X>& z, int k) {
    if constexpr (VELOCITIES > 0)
      if (over(k) >= VARIABLES) return z.v[over(k) - VARIABLES];
    return z.u[over(k)];
  }
  template <class X> BM_FN_MEMBER static void add(X& sum, const X& both, WholeStep) { sum = sum + both; }
  template <class X> BM_FN_MEMBER static void add(X& sum, const X& both, const X& change) {
    sum = fma(both, change, sum);
  }

  template <class X, class O>
  BM_FN_MEMBER static void integrands(const Motion<X>& z, const O& outside, const Parameters& p, X (&values)[TERMS]) {
#if BM_OBSERVED
    X formulas[OBSERVED];
    if constexpr (any_of(0, OBSERVED)) observed_values(z.u, z.v, outside, p, formulas);
#endif
    [[maybe_unused]] X force[VARIABLES];
    if constexpr (any_of(OF_FORCE, OF_FORCE) && BM_METHOD != BM_ABOBA) all_forces(z, outside, p, force);
    BM_UNROLL for (int k = 0; k < TERMS; k++) {
      if constexpr (any_of(OF_DRIVING, OF_DRIVING))
        if (of(k) == OF_DRIVING) values[k] = driving<X>(k, outside);
      if (of(k) == OF_FORCE) values[k] = BM_METHOD == BM_ABOBA ? X(NOTHING) : force[over(k)];
      if (of(k) == OF_VELOCITY) values[k] = place(z, k);
#if BM_OBSERVED
      if (of(k) >= 0) values[k] = formulas[of(k)];
#endif
    }
  }
  // Adds formulas at the ends of whole steps to their sums.
  template <class X, class O>
  BM_FN_MEMBER static void add_formulas(Motion<X>& z, const O& outside, const Parameters& p) {
#if BM_OBSERVED
    if constexpr (any_of(0, OBSERVED)) {
      X sums[OBSERVED] = {};
      BM_UNROLL for (int k = 0; k < TERMS; k++) if (adds_formula(k)) sums[of(k)] = z.integral[k];
      add_observed_values(z.u, z.v, outside, p, sums);
      BM_UNROLL for (int k = 0; k < TERMS; k++) if (adds_formula(k)) z.integral[k] = sums[of(k)];
    }
#endif
    (void)z, (void)outside, (void)p;
  }
  // All forces but friction and white noise.
  template <class X, class O>
  BM_FN_MEMBER static void all_forces(const Motion<X>& z, const O& outside, const Parameters& p,
                                      X (&force)[VARIABLES]) {
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) force[i] = X(VARIABLES > 1 ? p.variable[i].force : NOTHING);
    model_forces(z.u, z.v, outside, p, force);
    if constexpr (VARIABLES == 1) force[0] = force[0] + with_force(p.variable[0].force, outside);
  }
  // Drives on a variable that has some; together with the constant force, of which the host knows the work, where they
  // are one number.
  template <class X, class O> BM_FN_MEMBER static X driving(int k, const O& outside) {
    return X(outside.force[index_of(BM_FORCED, over(k))]);
  }
};

}  // namespace bmsim_kernel
