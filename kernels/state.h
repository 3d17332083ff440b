// What is kept of the trajectories of a group between launches, and what a launch is.
#pragma once

// Where a trajectory is: before, in or after the window in which it is measured.
constexpr uint8_t TRANSIENT = 0, MEASURED = 1, DONE = 2;

struct Trajectories {
  Slot<double> periods;       // whole periods that folding has taken off: x / L = position + periods
  Slot<double> window_start;  // x / L when the transient ended
#if BM_EVENT_NOISES
  Slot<double> lag;  // steps by which this trajectory's clock is behind the number of iterations done
#endif
  Slot<real> position;  // x / L, folded into [-1/2, 1/2] where the potential is periodic
#if BM_EVENT_NOISES
  Slot<real> next;                       // steps until something happens to the trajectory
  Slot<real> waited;                     // what `next` was when it was last set
  Slot<real> due[BM_EVENT_NOISES];       // steps from then to the next event of each noise
  Slot<uint32_t> used[BM_EVENT_NOISES];  // exponentials drawn for it so far
#endif
#if BM_STATES
  Slot<real> state[BM_STATES];
#endif
  Slot<uint8_t> stage;
};

// Some blocks of iterations for one group.
struct Launch {
  uint64_t seed;
  uint64_t trajectory;   // number of the group's first
  uint64_t first_block;  // blocks done before this launch
  uint64_t blocks;
};
