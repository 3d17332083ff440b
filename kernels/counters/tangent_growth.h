// The largest Lyapunov exponent of a system, or with noise that depends on the state: growth of a tangent vector
// (tangent.h), which is scaled by whole octaves at the end of every block.
#pragma once
#include "counter.h"
#include "motion.h"

namespace bmsim_kernel {

class TangentGrowth : public Counter {
 public:
  typedef TangentGrowthValues Values;
  static constexpr bool LINEARISES = true;
  BM_FN_MEMBER TangentGrowth(Trajectories& s, const Parameters& p, const Launch& launch) : Counter(s, p, launch) {}

  // A direction that no symmetry of a system keeps: fractional parts of multiples of the golden ratio.
  BM_FN_MEMBER static void start(Trajectories& s, const Parameters&, const Launch&, int l) {
    BM_UNROLL for (int k = 0; k < COUNT; k++) {
      const double turns = (k + 1) * 0.61803398874989484820;
      s.tangent_growth.tangent[k][l] = (real)(turns - floor_of(turns));
    }
  }
  template <class X> BM_FN_MEMBER static void begin_window(Motion<X>& z, Trajectories& s, int l, int i) {
    real tangent[COUNT];
    BM_UNROLL for (int k = 0; k < COUNT; k++) tangent[k] = get_lane(z.tangent[k], i);
    s.tangent_growth.growth[l] = -octaves(tangent);
  }
  // Scaling by whole octaves loses no digits, and changes nothing if the length is about 1. What has become
  // negligible is 0: processors are slow with numbers below the normal ones.
  BM_FN_MEMBER static void settle(Motion<T>& z, Trajectories& s, int g) {
    Part most = Part((real)1e-37), mantissa, exponent;
    BM_UNROLL for (int k = 0; k < COUNT; k++) most = maximum(most, absolute(part(z.tangent[k], g)));
    split(most, mantissa, exponent);
    const Part scale = power_of_two(-exponent);
    add_part(s.tangent_growth.growth, g, exponent);
    BM_UNROLL for (int k = 0; k < COUNT; k++) {
      const Part scaled = part(z.tangent[k], g) * scale;
      set_part(z.tangent[k], g, select(absolute(scaled) < (real)1e-30, Part((real)0), scaled));
    }
  }
  template <class F> BM_FN_MEMBER static void values(Trajectories& s, int l, bool diverged, F value) {
    real tangent[COUNT];
    BM_UNROLL for (int k = 0; k < COUNT; k++) tangent[k] = s.tangent_growth.tangent[k][l];
    const double growth = (s.tangent_growth.growth[l] + octaves(tangent)) * OCTAVE;
    value(Values::growth) = diverged ? not_a_number() : growth;
  }

 private:
  static constexpr int COUNT = VARIABLES + VELOCITIES;
  static constexpr double OCTAVE = 0.69314718055994530942;
  // Length of the tangent vector, in octaves above 1; by its largest component, so that squares do not overflow.
  BM_FN_MEMBER static double octaves(const real (&tangent)[COUNT]) {
    real most = (real)1e-37, square = 0;
    BM_UNROLL for (int k = 0; k < COUNT; k++) most = maximum(most, absolute(tangent[k]));
    BM_UNROLL for (int k = 0; k < COUNT; k++) square += tangent[k] / most * (tangent[k] / most);
    return ((double)log(most) + 0.5 * (double)log(square)) / OCTAVE;
  }
};

}  // namespace bmsim_kernel
