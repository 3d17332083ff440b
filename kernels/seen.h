// What counters look at (levels.h): the position of one variable, or a linear formula of positions and velocities.
#pragma once
#include "calls.h"

namespace bmsim_kernel {

#if BM_SEEN_FORMULA
template <class X, class U, class V> BM_FN X seen_of(const U& u, [[maybe_unused]] const V& v, const Parameters& p) {
  X sum = X(p.seen_formula.offset);
#if BM_SEEN_VARIABLES
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) if (has(BM_SEEN_VARIABLES, i)) sum =
      fma(u[i], X(p.seen_formula.slope[i]), sum);
#endif
#if BM_SEEN_VELOCITIES
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) if (has(BM_SEEN_VELOCITIES, i)) sum =
      fma(v[velocity_of(i)], X(p.seen_formula.speed[velocity_of(i)]), sum);
#endif
  return sum;
}
template <class X> BM_FN X seen_of(const Motion<X>& z, const Parameters& p) { return seen_of<X>(z.u, z.v, p); }
// At the beginning; and what whole periods that have been taken off add.
BM_FN real seen_at_start(Trajectories& s, int l, const Parameters& p) {
  const Place place = place_of(s, l);
  return seen_of<real>(place.u, place.v, p);
}
BM_FN double seen_periods(Trajectories& s, int l, const Parameters& p) {
  double sum = 0;
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) sum += p.seen_formula.per_period[i] * s.periods[i][l];
  return sum;
}
#else
template <class X> BM_FN X seen_of(const Motion<X>& z, const Parameters&) { return z.u[SEEN]; }
BM_FN real seen_at_start(Trajectories& s, int l, const Parameters&) { return s.position[SEEN][l]; }
BM_FN double seen_periods(Trajectories& s, int l, const Parameters&) { return s.periods[SEEN][l]; }
#endif

}  // namespace bmsim_kernel
