// Sums along a path: added up at the end of every block, from the beginning of its window to its end.
#pragma once
#include "counters.h"
#include "motion.h"

namespace bmsim_kernel {

template <class Z> BM_FN void settle_squares(Z& z, Trajectories& s, const Parameters& p, int g) {
  if constexpr (BM_SQUARES) {
    const Part squares = part(z.squares, g);
    add_part(s.squares, g, BM_METHOD == BM_ABOBA ? squares * p.square : squares);
    set_part(z.squares, g, Part((real)0));
  }
}
// At the end of a block: folds the positions, if the potential is periodic, and adds up.
BM_FN void settle(Motion<T>& z, Trajectories& s, const Parameters& p) {
  for (int g = 0; g < PARTS; g++) {
    if constexpr (BM_PERIODIC) {
      const Part u = part(z.u, g), whole = rint(u);
      add_part(s.periods, g, whole);
      set_part(z.u, g, u - whole);
    }
    settle_squares(z, s, p, g);
    Counters::settle(z, s, g);
  }
}

// The window of lane i of part g, trajectory l, begins, and with it the sums.
template <class X> BM_FN void begin_sums(Motion<X>& z, Trajectories& s, const Parameters& p, int l, int i) {
  if constexpr (BM_SQUARES) {
    s.squares[l] = (double)constant_square(p) * (p.total_steps - p.transient_steps);
    set_lane(z.squares, i, 0);
  }
  Counters::begin_window(z, s, l, i);
}

constexpr PathValues path_values_at() {
  const uint32_t first = 2, velocities = BM_UNDERDAMPED ? 2 : 0;
  return {first + velocities + Counters::VALUES, velocities > 0 ? first : 0, first + velocities};
}
constexpr PathValues PATH_VALUES = path_values_at();

// Writes the values of trajectory l at the end of its run: value i to values[i * stride].
BM_FN void path_values(Trajectories& s, int l, double* values, uint64_t stride) {
  const bool diverged = s.stage[l] == DIVERGED;
  const auto value = [&](uint32_t i) BM_FN_LAMBDA -> double& { return values[i * stride]; };
  value(START) = s.window_start[l];
  value(END) = diverged ? not_a_number() : (double)s.position[l] + s.periods[l];
  if constexpr (BM_UNDERDAMPED) {
    value(PATH_VALUES.velocity) = (double)s.velocity[l];
    value(PATH_VALUES.velocity + 1) = BM_SQUARES ? (double)s.squares[l] : 0;
  }
  Counters::values(s, l, diverged, [&](uint32_t i) BM_FN_LAMBDA -> double& { return value(PATH_VALUES.counted + i); });
}

}  // namespace bmsim_kernel
