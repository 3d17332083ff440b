// Averages of functions of the state over the window (observed_values in calls.h): sums over its steps. Where kicks may
// change the state between steps, both ends of a step count by half.
#pragma once
#include "counter.h"
#include "motion.h"

namespace bmsim_kernel {

class Average : public Counter {
 public:
  typedef AverageValues Values;
  BM_FN_MEMBER Average(Trajectories& s, const Parameters& p, const Launch& launch) : Counter(s, p, launch) {}

  template <class X> BM_FN_MEMBER static void begin_window(Motion<X>& z, Trajectories& s, int l, int i) {
    BM_UNROLL for (int k = 0; k < COUNT; k++) {
      s.average.sum[k][l] = 0;
      set_lane(z.average[k], i, 0);
    }
  }
  template <class X> BM_FN_MEMBER static void pass_middle(const Motion<X>& z, Trajectories& s, int l, int i) {
    BM_UNROLL for (int k = 0; k < COUNT; k++)
        set_apart(s, l, AT_AVERAGE_HALF + k, s.average.sum[k][l] + (double)get_lane(z.average[k], i));
  }
  template <class X, class L, class O>
  BM_FN_MEMBER static void before_step(Motion<X>& z, const L& length, const O& before, const O&, const Parameters& p) {
    if constexpr (BM_METHOD == BM_PAPER || BM_JUMPS)
      add(z, before, steps_of(length) * (BM_METHOD == BM_PAPER ? 1 : HALF), p);
  }
  template <class X, class L, class O>
  BM_FN_MEMBER static void after_step(Motion<X>& z, const L& length, const O& after, const Parameters& p) {
    if constexpr (BM_METHOD != BM_PAPER) {
      if constexpr (BM_JUMPS)
        add(z, after, steps_of(length) * HALF, p);
      else
        add(z, after, length, p);
    }
  }
  BM_FN_MEMBER static void settle(Motion<T>& z, Trajectories& s, int g) {
    BM_UNROLL for (int k = 0; k < COUNT; k++) {
      add_part(s.average.sum[k], g, part(z.average[k], g));
      set_part(z.average[k], g, Part((real)0));
    }
  }
  template <class F> BM_FN_MEMBER static void values(Trajectories& s, int l, bool diverged, F value) {
    BM_UNROLL for (int k = 0; k < COUNT; k++) value((uint32_t)k) =
        diverged ? not_a_number() : (double)s.average.sum[k][l];
    BM_UNROLL for (int k = 0; k < COUNT; k++) value((uint32_t)(COUNT + k)) = s.average_half[k][l];
  }

 private:
  static constexpr int COUNT = (int)Values::count / 2;  // each has its sum, and that of the first half
  static constexpr real HALF = (real)0.5;
  BM_FN_MEMBER static real steps_of(WholeStep) { return 1; }
  template <class X> BM_FN_MEMBER static X steps_of(X fraction) { return fraction; }
  template <class X, class O>
  BM_FN_MEMBER static void add(Motion<X>& z, const O& outside, WholeStep, const Parameters& p) {
    X sums[OBSERVED] = {};
    BM_UNROLL for (int k = 0; k < COUNT; k++) sums[k] = z.average[k];
    add_observed_values(z.u, z.v, outside, p, sums);
    BM_UNROLL for (int k = 0; k < COUNT; k++) z.average[k] = sums[k];
  }
  template <class X, class O, class L>
  BM_FN_MEMBER static void add(Motion<X>& z, const O& outside, L share, const Parameters& p) {
    X value[OBSERVED];
    observed_values(z.u, z.v, outside, p, value);
    BM_UNROLL for (int k = 0; k < COUNT; k++) z.average[k] = fma(value[k], X(share), z.average[k]);
  }
};

}  // namespace bmsim_kernel
