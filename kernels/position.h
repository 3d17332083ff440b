// Positions and forces of a group: folding, the phase of a drive, the constant part of the force.
#pragma once

// The time t = turns_per_step * steps, reduced to [0, 1) in double so that a phase does not lose digits in long runs.
BM_FN real turn(double turns_per_step, double steps) {
  const double t = turns_per_step * steps;
  return (real)(t - floor_of(t));
}

// Takes whole periods off the positions, where the potential is periodic.
BM_FN void fold(Part& u, Trajectories& s, int g) {
#if BM_PERIODIC
  const Part whole = rint(u);
  u = u - whole;
  add_part(s.periods, g, whole);
#else
  (void)u, (void)s, (void)g;
#endif
}
BM_FN void fold(T& u, Trajectories& s) {
  for (int g = 0; g < PARTS; g++) {
    Part x = part(u, g);
    fold(x, s, g);
    set_part(u, g, x);
  }
}

// The force between events, times h: one number where no noise has a state.
#if BM_DRIFT_VARIES
typedef T Drift;
BM_FN T load_drift(Trajectories& s, const Parameters& p) {
  Slot<real> drift;
  for (int l = 0; l < LANES; l++) drift[l] = model_drift(s, p, l) * p.h;
  return load(drift);
}
#else
typedef real Drift;
BM_FN real load_drift(Trajectories& s, const Parameters& p) { return model_drift(s, p, 0) * p.h; }
#endif
