// The largest Lyapunov exponent: growth of a small difference between two trajectories with the same noise. Overdamped:
// its logarithm grows by the slope of the force times the time. Underdamped: a tangent vector follows the linearised
// aboba scheme; at the end of every block it is scaled by whole octaves to a length of about 1.
#pragma once
#include "counter.h"
#include "dual.h"
#include "inertial.h"

namespace bmsim_kernel {

class Lyapunov : public Counter {
 public:
  typedef LyapunovValues Values;
  BM_FN_MEMBER Lyapunov(Trajectories& s, const Parameters& p, const Launch& launch) : Counter(s, p, launch) {}

  BM_FN_MEMBER static void start(Trajectories& s, const Parameters&, const Launch&, int l) {
    s.lyapunov.tangent[0][l] = (real)1;
  }
  template <class X> BM_FN_MEMBER static void begin_window(Motion<X>& z, Trajectories& s, int l, int i) {
    if constexpr (BM_INERTIAL) {
      s.lyapunov.growth[l] = -octaves(get_lane(z.tangent[0], i), get_lane(z.tangent[1], i));
    } else {
      s.lyapunov.growth[l] = 0;
      set_lane(z.growth, i, 0);
    }
  }
  // If steps depend on the position, the slopes at both ends count by half: steps are chosen at their beginning, where
  // the slope alone would be sampled with a bias.
  template <class X, class L, class O>
  BM_FN_MEMBER static void before_step(Motion<X>& z, const L& length, const O& before, [[maybe_unused]] const O& after,
                                       const Parameters& p) {
    if constexpr (!BM_INERTIAL) {
      constexpr real share = BM_METHOD == BM_ADAPTIVE ? (real)0.5 : (real)1;
      z.growth = fma(slope(z.u[0], before, p), move_of(0, length, p) * share, z.growth);
    } else {
      auto q = inertia(length, p.variable[0], p);
      const X middle = fma(z.v[0], q.first, z.u[0]);
      X gradient = slope(middle, before, p);
      if constexpr (BM_METHOD != BM_ABOBA) {
        if (BM_MODULATED || BM_POTENTIAL_PHASES) gradient = (gradient + slope(middle, after, p)) * (real)0.5;
        q.decay = exp(q.time * -p.variable[0].gamma);
        q.kick = (q.decay + (real)1) * (q.time * (real)0.5);
      }
      X &x = z.tangent[0], &v = z.tangent[1];
      x = fma(v, q.first, x);
      v = fma(v, q.decay, gradient * x * q.kick);
      x = fma(v, q.last, x);
    }
  }
  template <class X, class L, class O>
  BM_FN_MEMBER static void after_step(Motion<X>& z, const L& length, const O& after, const Parameters& p) {
    if constexpr (BM_METHOD == BM_ADAPTIVE) before_step(z, length, after, after, p);
  }
  BM_FN_MEMBER static void settle(Motion<T>& z, Trajectories& s, int g) { settle_part(z, s, g); }
  template <class F> BM_FN_MEMBER static void values(Trajectories& s, int l, bool diverged, F value) {
    double growth = s.lyapunov.growth[l];
    if constexpr (BM_INERTIAL) growth = (growth + octaves(s.lyapunov.tangent[0][l], s.lyapunov.tangent[1][l])) * OCTAVE;
    value(Values::growth) = diverged ? not_a_number() : growth;
  }

 private:
  static constexpr double OCTAVE = 0.69314718055994530942;
  // Length of the tangent vector, in octaves above 1.
  BM_FN_MEMBER static double octaves(real x, real v) { return 0.5 / OCTAVE * (double)log(x * x + v * v); }
  // Slope of the force at u, per period.
  template <class X, class O> BM_FN_MEMBER static X slope(const X& u, const O& outside, const Parameters& p) {
    return model_force(Dual<X>(u, X((real)1)), outside, p).slope;
  }
  // Scaling by whole octaves loses no digits, and changes nothing if the length is about 1.
  template <class Z> BM_FN_MEMBER static void settle_part(Z& z, Trajectories& s, int g) {
    if constexpr (BM_INERTIAL) {
      const Part x = part(z.tangent[0], g), v = part(z.tangent[1], g);
      Part mantissa, exponent;
      split(x * x + v * v, mantissa, exponent);
      const Part octaves = rint(exponent * (real)0.5), scale = power_of_two(-octaves);
      add_part(s.lyapunov.growth, g, octaves);
      set_part(z.tangent[0], g, x * scale);
      set_part(z.tangent[1], g, v * scale);
    } else {
      add_part(s.lyapunov.growth, g, part(z.growth, g));
      set_part(z.growth, g, Part((real)0));
    }
  }
};

}  // namespace bmsim_kernel
