// Paths that end at walls which absorb. Counters know when (Counter::finished); what a path does later does not matter,
// and is kept from going astray: it is put to its origin at the end of every block. A group whose paths all have ended
// is done.
#pragma once
#include "counters.h"
#include "motion.h"

namespace bmsim_kernel {

BM_FN bool has_ended([[maybe_unused]] Trajectories& s, [[maybe_unused]] int l, [[maybe_unused]] double steps) {
  return BM_ABSORBS && Counters::finished(s, l, steps);
}

// At the end of a block. Returns whether all trajectories of the group are over, and then ends them.
BM_FN bool end_absorbed([[maybe_unused]] Motion<T>& z, [[maybe_unused]] Trajectories& s) {
  if constexpr (!BM_ABSORBS) return false;
  bool open = false;
  for (int g = 0; g < PARTS; g++) {
    Motion<Part> some = part_of(z, g);
    for (int i = 0; i < WIDTH; i++) {
      const int l = g * WIDTH + i;
      if (!Counters::finished(s, l)) {
        open = open || s.stage[l] < DONE;
        continue;
      }
      BM_UNROLL for (int k = 0; k < VARIABLES; k++) set_lane(some.u[k], i, 0);
      BM_UNROLL for (int k = 0; k < VELOCITIES; k++) set_lane(some.v[k], i, 0);
    }
    set_part_of(z, g, some);
  }
  if (group_any(open)) return false;
  for (int l = 0; l < LANES; l++)
    if (s.stage[l] != DIVERGED) s.stage[l] = DONE;
  return true;
}

}  // namespace bmsim_kernel
