// Outside influences on a trajectory at one time (Outside of trajectory.h), and phases of drives.
#pragma once
#include "model.h"
#include "term.h"

namespace bmsim_kernel {

// The drift of a variable plus the force on it from outside. With several variables model_forces contains that.
constexpr bool FORCED_APART = BM_FORCED && VARIABLES == 1;
// Whether the force from outside is none of the forces of a stage, because walls need it apart.
constexpr bool DRIVEN_START = FORCED_APART && BM_WALLS && !BM_INERTIAL;
template <class D, class O> BM_FN auto with_force(D drift, const O& outside) {
  if constexpr (BM_DRIFT_OUTSIDE)
    return outside.force[0];
  else if constexpr (FORCED_APART)
    return drift + outside.force[0];
  else
    return drift;
}

// Phase k in turns after `steps` steps, reduced to [0, 1) in double so that no digits are lost in long runs; for other
// phases the time itself.
BM_FN real turn(double turns_per_step, double steps) {
  const double t = turns_per_step * steps;
  return (real)(t - floor_of(t));
}
BM_FN real phase_at(const Parameters& p, int k, double steps) {
  return PHASES_WRAP >> k & 1 ? turn(p.phase_per_step[k], steps) : (real)(p.phase_per_step[k] * steps);
}
// Change of phase k in one move.
BM_FN real step_width(const Parameters& p, int k) { return (real)p.phase_per_step[k] * (real)(BM_COARSE ? 2 : 1); }
// Random initial phases of phase k, for every trajectory.
BM_FN void draw_phases(const Launch& launch, int k, Slot<real>& begins) {
  if (PHASES_WRAP >> k & 1)
    draw_uniforms(launch.seed, STREAM_PHASE, (uint32_t)k, launch.trajectory, begins);
  else
    for (int l = 0; l < LANES; l++) begins[l] = 0;
}

}  // namespace bmsim_kernel
