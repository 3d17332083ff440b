// What is kept of the trajectories of a group between launches, and what a launch is.
#pragma once

// Where a trajectory is: before, in or after the window in which it is measured; or no longer a finite number.
constexpr uint8_t TRANSIENT = 0, MEASURED = 1, DONE = 2, DIVERGED = 3;

struct Trajectories {
  Slot<double> periods;       // whole periods that folding has taken off: x / L = position + periods
  Slot<double> window_start;  // x / L when the transient ended; of a diverged trajectory the step at which it was seen
#if BM_EVENT_NOISES
  Slot<double> lag;  // steps by which this trajectory's clock is behind the number of iterations done
#endif
#if BM_SQUARES
  Slot<double> squares;  // sum of v^2 over the steps of the window
#endif
  Slot<real> position;  // x / L, folded into [-1/2, 1/2] where the potential is periodic
#if BM_UNDERDAMPED
  Slot<real> velocity;
#endif
#if BM_EVENT_NOISES
  Slot<real> next;                       // steps until something happens to the trajectory
  Slot<real> waited;                     // what `next` was when it was last set
  Slot<real> due[BM_EVENT_NOISES];       // steps from then to the next event of each noise
  Slot<uint32_t> used[BM_EVENT_NOISES];  // exponentials drawn for it so far
#endif
#if BM_STATES
  Slot<real> state[BM_STATES];
#endif
#if BM_EVOLVING
  Slot<real> evolving[BM_EVOLVING];  // states of coloured noises
#endif
#if BM_MARKS
  Slot<uint32_t> mark;  // marks passed so far
#endif
  Slot<uint8_t> stage;
};

// What is known of a path at its end: x / L at both ends of the window (the second is NaN where the path has diverged,
// the first then the step at which that was seen), the last velocity, the sum of v^2.
constexpr int PATH_VALUES = BM_UNDERDAMPED ? 4 : 2;
BM_FN void path_values(Trajectories& s, int l, double* value, uint64_t stride) {
  value[0] = s.window_start[l];
  value[stride] = s.stage[l] == DIVERGED ? not_a_number() : (double)s.position[l] + s.periods[l];
#if BM_UNDERDAMPED
  value[2 * stride] = (double)s.velocity[l];
  value[3 * stride] = 0;
#endif
#if BM_SQUARES
  value[3 * stride] = s.squares[l];
#endif
}

// A law of initial values: uniform about a centre, plus a normal part; or evenly spaced over the paths of a point.
struct Start {
  real centre, width, deviation;
  uint32_t count;  // of the spaced values, 0 for random ones
};

// Some blocks of iterations for one group.
struct Launch {
  uint64_t seed;
  uint64_t trajectory;   // number of the group's first
  uint64_t first_block;  // blocks done before this launch
  uint64_t blocks;
  const double* marks;  // steps at which x / L (and v) are recorded, ascending
  uint64_t mark_count;
  double* samples;  // of the group: value number i of mark k and lane l at [(k * SAMPLE_VALUES + i) * stride + l]
  uint64_t stride;
};

#if BM_MARKS
constexpr int SAMPLE_VALUES = BM_UNDERDAMPED ? 2 : 1;
BM_FN double next_mark(Trajectories& s, const Launch& launch, int l) {
  return s.mark[l] < launch.mark_count ? launch.marks[s.mark[l]] : 1e300;
}
// Trajectory l is at its next mark, at u and with velocity v.
BM_FN void record(Trajectories& s, const Launch& launch, int l, real u, real v) {
  double* sample = launch.samples + (uint64_t)s.mark[l] * SAMPLE_VALUES * launch.stride + (uint64_t)l;
  sample[0] = (double)u + s.periods[l];
  if (SAMPLE_VALUES > 1) sample[launch.stride] = (double)v;
  s.mark[l]++;
}
#endif
