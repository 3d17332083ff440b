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
// With inertia, noise changes velocities within a step, and there the mean of both ends does not do. Where an integrand
// reads velocities, or what noise moves directly, its integral over a position is taken in two parts (IN_MOTION): the
// first half of the motion, to its middle m, counts with the integrand at the beginning, the second with that at the
// end. Over a velocity positions are those in m, on which the noise of the step has no influence (IN_MIDDLE). An
// integrand that reads velocities, too, is integrated over the straight line between those before and after, by Gauss's
// rule of two places (IN_KICK). These are the parts of a step of aboba, one after the other, whose composition is of
// second order; with other methods m = x' - v' dt/2.
//
// The integral of a velocity over itself is its squares at the ends of the window, unless events change it between
// steps. With aboba forces are those in the middle of a step, which move it: their integral less the change of m v^2/2
// then is what friction and noise take from v, exactly.
#pragma once
#include "counter.h"
#include "inertial.h"
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
enum : int { AT_ENDS, IN_MOTION, IN_MIDDLE, IN_KICK };  // KernelOptions::Integral::Rule
BM_FN constexpr int rule(int k) {
  constexpr int all[] = {BM_INTEGRAL_RULES};
  return all[k];
}
BM_FN constexpr bool any_by(int a, int b) {
  for (int k = 0; k < (int)IntegralValues::count; k++)
    if (rule(k) >= a && rule(k) <= b) return true;
  return false;
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
    BM_UNROLL for (int k = 0; k < TERMS; k++) z.integrand[k] = by_places(k) || in_kick(k) ? X(NOTHING) : values[k];
  }
  template <class X, class L, class O>
  BM_FN_MEMBER static void before_step(Motion<X>& z, [[maybe_unused]] const L& length, const O& before, const O&,
                                       const Parameters& p) {
    if constexpr (!RESUMES) resume(z, before, p);
    begin_kick(z, length, before, p);
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
      if (adds_formula(k) || by_places(k) || by_ends(k) || in_kick(k)) continue;
      if (rule(k) == IN_MOTION)
        add_motion(z, k, length, now[k], p);
      else if (adds_ends(k))
        add(z.integral[k], now[k], length);
      else if (over(k) == OVER_TIME)
        add(z.integral[k], z.integrand[k] + now[k], length);
      else
        add(z.integral[k], z.integrand[k] + now[k], place(z, k) - z.integral_from[k]);
    }
    add_kick(z, length, after, p);
    if constexpr (RESUMES)
      BM_UNROLL for (int k = 0; k < TERMS; k++) if (!by_places(k) && !in_kick(k)) z.integrand[k] = now[k];
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

  // Over the velocity that a kick changes, with positions in the middle of the motion.
  BM_FN_MEMBER static constexpr bool in_kick(int k) { return rule(k) >= IN_MIDDLE; }
  static constexpr bool KICKS = any_by(IN_MIDDLE, IN_KICK);
  // Whether formulas change with time between the ends of a step: both ends count by half then.
  static constexpr bool IN_TIME = BM_METHOD != BM_ABOBA && BM_PHASES > 0;
  static constexpr double NEAR_END = 0.21132486540518713;  // of Gauss's rule in [0, 1], from either end

  // u: positions in the middle of a step, from the state after it (BACK), or before.
  template <bool BACK, class X, class L>
  BM_FN_MEMBER static void to_middle(const Motion<X>& z, const L& length, const Parameters& p, X (&u)[VARIABLES]) {
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      u[i] = z.u[i];
      if (!is_inertial(i)) continue;
      const auto q = inertia(length, p.variable[i], p);
      u[i] = BACK ? fma(z.v[velocity_of(i)], -q.last, z.u[i]) : fma(z.v[velocity_of(i)], q.first, z.u[i]);
    }
  }
  // The integrands over velocities at this place.
  template <class X, class V, class O>
  BM_FN_MEMBER static void in_place(const X (&u)[VARIABLES], const V& v, const O& outside, const Parameters& p,
                                    X (&values)[TERMS]) {
    X formulas[OBSERVED];
    observed_values(u, v, outside, p, formulas);
    BM_UNROLL for (int k = 0; k < TERMS; k++) if (in_kick(k)) values[k] = formulas[of(k)];
  }
  template <class X, class L, class O>
  BM_FN_MEMBER static void begin_kick(Motion<X>& z, const L& length, const O& before, const Parameters& p) {
    if constexpr (KICKS && IN_TIME) {
      X u[VARIABLES], values[TERMS];
      to_middle<false>(z, length, p, u);
      in_place(u, z.v, before, p, values);
      BM_UNROLL for (int k = 0; k < TERMS; k++) if (in_kick(k)) z.integrand[k] = values[k];
    } else if constexpr (any_by(IN_KICK, IN_KICK)) {
      BM_UNROLL for (int i = 0; i < VARIABLES; i++) z.integral_start[i] = z.u[i];
      BM_UNROLL for (int i = 0; i < VELOCITIES; i++) z.integral_start[VARIABLES + i] = z.v[i];
    }
    (void)z, (void)length, (void)before, (void)p;
  }
  template <class X, class L, class O>
  BM_FN_MEMBER static void add_kick(Motion<X>& z, const L& length, const O& after, const Parameters& p) {
    if constexpr (KICKS) {
      X u[VARIABLES], values[TERMS];
      const auto add_to = [&](int k, const X& value) BM_FN_LAMBDA {
        z.integral[k] = fma(value, place(z, k) - z.integral_from[k], z.integral[k]);
      };
      to_middle<true>(z, length, p, u);
      if constexpr (IN_TIME || any_by(IN_MIDDLE, IN_MIDDLE)) {
        in_place(u, z.v, after, p, values);
        BM_UNROLL for (int k = 0; k < TERMS; k++) {
          if (in_kick(k) && IN_TIME) add_to(k, (z.integrand[k] + values[k]) * (real)0.5);
          if (rule(k) == IN_MIDDLE && !IN_TIME) add_to(k, values[k]);
        }
      }
      if constexpr (!IN_TIME && any_by(IN_KICK, IN_KICK)) BM_UNROLL for (int g = 0; g < 2; g++) {
          const real part = (real)(g == 0 ? NEAR_END : 1 - NEAR_END);
          X v[VELOCITIES > 0 ? VELOCITIES : 1];
          BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
            if (!is_inertial(i)) u[i] = fma(z.u[i] - z.integral_start[i], part, z.integral_start[i]);
            if (!is_inertial(i)) continue;
            const X start = z.integral_start[VARIABLES + velocity_of(i)];
            v[velocity_of(i)] = fma(z.v[velocity_of(i)] - start, part, start);
          }
          in_place(u, v, after, p, values);
          BM_UNROLL for (int k = 0; k < TERMS; k++) if (rule(k) == IN_KICK) add_to(k, values[k] * (real)0.5);
        }
    }
    (void)z, (void)length, (void)after, (void)p;
  }
  template <class X, class L>
  BM_FN_MEMBER static void add_motion(Motion<X>& z, int k, const L& length, const X& now, const Parameters& p) {
    if constexpr (any_by(IN_MOTION, IN_MOTION)) {
      const X late = z.v[velocity_of(over(k))] * inertia(length, p.variable[over(k)], p).last;
      const X early = place(z, k) - z.integral_from[k] - late;
      z.integral[k] = fma(z.integrand[k], early, fma(now, late, z.integral[k]));
    }
    (void)z, (void)k, (void)length, (void)now, (void)p;
  }

  template <class X, class O>
  BM_FN_MEMBER static void integrands(const Motion<X>& z, const O& outside, const Parameters& p, X (&values)[TERMS]) {
    X formulas[OBSERVED];
    if constexpr (any_of(0, OBSERVED)) observed_values(z.u, z.v, outside, p, formulas);
    [[maybe_unused]] X force[VARIABLES];
    if constexpr (any_of(OF_FORCE, OF_FORCE) && BM_METHOD != BM_ABOBA) all_forces(z, outside, p, force);
    BM_UNROLL for (int k = 0; k < TERMS; k++) {
      if constexpr (any_of(OF_DRIVING, OF_DRIVING))
        if (of(k) == OF_DRIVING) values[k] = driving<X>(k, outside);
      if (of(k) == OF_FORCE) values[k] = BM_METHOD == BM_ABOBA ? X(NOTHING) : force[over(k)];
      if (of(k) == OF_VELOCITY) values[k] = place(z, k);
      if (of(k) >= 0) values[k] = formulas[of(k)];
    }
  }
  // Adds formulas at the ends of whole steps to their sums.
  template <class X, class O>
  BM_FN_MEMBER static void add_formulas(Motion<X>& z, const O& outside, const Parameters& p) {
    if constexpr (any_of(0, OBSERVED)) {
      X sums[OBSERVED] = {};
      BM_UNROLL for (int k = 0; k < TERMS; k++) if (adds_formula(k)) sums[of(k)] = z.integral[k];
      add_observed_values(z.u, z.v, outside, p, sums);
      BM_UNROLL for (int k = 0; k < TERMS; k++) if (adds_formula(k)) z.integral[k] = sums[of(k)];
    }
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
