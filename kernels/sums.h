// Sums along a path: added up at the end of every block, from the beginning of its window to its end.
#pragma once
#include "counters.h"
#include "motion.h"

namespace bmsim_kernel {

template <class Z> BM_FN void settle_squares(Z& z, Trajectories& s, const Parameters& p, int g) {
  if constexpr (BM_SQUARES) {
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      if (!is_inertial(i)) continue;
      const int k = velocity_of(i);
      const Part squares = part(z.squares[k], g);
      add_part(s.squares[k], g, BM_METHOD == BM_ABOBA ? squares * p.variable[i].square : squares);
      set_part(z.squares[k], g, Part((real)0));
    }
  }
}
// At the end of a block: folds variables, alone or with another that comes before it, and adds up.
BM_FN void settle(Motion<T>& z, Trajectories& s, const Parameters& p) {
  for (int g = 0; g < PARTS; g++) {
    Counters::settle(z, s, g);  // before positions are folded
    Part leaders[VARIABLES];
    BM_UNROLL for (int i = 0; i < VARIABLES; i++) {
      if (!has(BM_PERIODIC, i)) continue;
      const Part u = part(z.u[i], g), whole = folds_with(i) == i ? rint(u) : leaders[folds_with(i)];
      leaders[i] = whole;
      add_part(s.periods[i], g, whole);
      set_part(z.u[i], g, u - whole);
    }
    settle_squares(z, s, p, g);
  }
}

// The window of lane i of part g, trajectory l, begins, and with it the sums.
template <class X> BM_FN void begin_sums(Motion<X>& z, Trajectories& s, const Parameters& p, int l, int i) {
  if constexpr (BM_SQUARES) {
    BM_UNROLL for (int k = 0; k < VARIABLES; k++) {
      if (!is_inertial(k)) continue;
      s.squares[velocity_of(k)][l] = (double)constant_square(k, p) * (p.total_steps - p.transient_steps);
      set_lane(z.squares[velocity_of(k)], i, 0);
    }
  }
  Counters::begin_window(z, s, l, i);
}

constexpr PathValues path_values_at() {
  const uint32_t n = VARIABLES, m = VELOCITIES, middle = BM_HALVES ? 2 * n : 0;
  const uint32_t places = BM_HALVES ? 3 * n + 1 : 2 * n, velocity = m > 0 ? places : 0, sums = places + 2 * m;
  const uint32_t counted = sums + (BM_PUSHED ? 1 : 0);
  return {counted + Counters::VALUES, 0, n, middle, velocity, m > 0 ? velocity + m : 0, BM_PUSHED ? sums : 0, counted};
}
constexpr PathValues PATH_VALUES = path_values_at();

// Writes the values of trajectory l at the end of its run: value i to values[i * stride].
BM_FN void path_values(Trajectories& s, int l, double* values, uint64_t stride) {
  const bool diverged = s.stage[l] == DIVERGED;
  const auto value = [&](uint32_t i) BM_FN_LAMBDA -> double& { return values[i * stride]; };
  BM_UNROLL for (uint32_t i = 0; i < VARIABLES; i++) {
    value(PATH_VALUES.start + i) = s.window_start[i][l];
    value(PATH_VALUES.end + i) = diverged ? not_a_number() : (double)s.position[i][l] + s.periods[i][l];
    if (BM_HALVES) value(PATH_VALUES.middle + i) = s.window_middle[i][l];
  }
  if (BM_HALVES) value(PATH_VALUES.middle + VARIABLES) = s.middle_time[l];
  BM_UNROLL for (uint32_t i = 0; i < VELOCITIES; i++) {
    value(PATH_VALUES.velocity + i) = (double)s.velocity[i][l];
    value(PATH_VALUES.squares + i) = BM_SQUARES ? (double)s.squares[i][l] : 0;
  }
  if constexpr (BM_PUSHED) {
    const double moved = (double)s.position[0][l] + s.periods[0][l] - s.window_start[0][l];
    value(PATH_VALUES.push) = (BM_METHOD == BM_WALK ? moved : 0) + s.push[l];
  }
  Counters::values(s, l, diverged, [&](uint32_t i) BM_FN_LAMBDA -> double& { return value(PATH_VALUES.counted + i); });
}

}  // namespace bmsim_kernel
