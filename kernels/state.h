// What is kept of the trajectories of a group between launches, and what a launch is.
#pragma once

constexpr int EVENT_NOISES = BM_EVENT_NOISES > 0 ? BM_EVENT_NOISES : 1;

// Where a trajectory is: before, in or after the window in which it is measured; or no longer a finite number.
constexpr uint8_t TRANSIENT = 0, MEASURED = 1, DONE = 2, DIVERGED = 3;

struct Trajectories {
  Slot<double> periods;       // whole periods that folding has taken off: x / L = position + periods
  Slot<double> window_start;  // x / L when the transient ended; of a diverged trajectory the step at which it was seen
#if BM_COUNTDOWNS
  Slot<double> lag;  // steps by which this trajectory's clock is behind the number of iterations done; exact, adaptive: behind 0
#endif
#if BM_SQUARES
  Slot<double> squares;  // sum of v^2 over the steps of the window
#endif
#if BM_PASSAGE
  Slot<double> passed;  // steps to the first passage; before it minus the levels that it waits for (levels.h)
#endif
#if BM_RESIDENCE
  Slot<double> since;       // steps at which it entered the state that it is in
  Slot<double> resided[2];  // steps in the lower and in the upper state that it has left within the window
  Slot<uint32_t> left[2];   // how often it left them there
  Slot<uint32_t> waits_for;
#endif
#if BM_LYAPUNOV
  Slot<double> growth;  // of the tangent vector's logarithm in the window; underdamped: in octaves, less its length
#endif
  Slot<real> position;  // x / L, folded into [-1/2, 1/2] where the potential is periodic
#if BM_UNDERDAMPED
  Slot<real> velocity;
#endif
#if BM_LYAPUNOV && BM_UNDERDAMPED
  Slot<real> tangent[2];  // of x / L and of v
#endif
#if BM_COUNTDOWNS
  Slot<real> next;                    // steps until something happens to the trajectory
  Slot<real> waited;                  // what `next` was when it was last set
  Slot<real> due[EVENT_NOISES];       // steps from then to the next event of each noise
  Slot<uint32_t> used[EVENT_NOISES];  // exponentials drawn for it so far
#endif
#if BM_COARSE && BM_EVENT_NOISES
  Slot<real> gathered_steps, gathered;  // see coarse.h
#if BM_GATHERED_IMPULSES
  Slot<real> gathered_impulse;
#endif
#if BM_EVOLVING
  Slot<real> gathered_evolving[BM_EVOLVING];
#endif
#if BM_AVERAGES
  Slot<real> gathered_average[BM_AVERAGES];
#endif
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
// the first then the step at which that was seen), the last velocity, the sum of v^2; the passage; the residences, with
// when the last one began and what it waits for; the growth.
constexpr int PASSAGE_VALUE = BM_UNDERDAMPED ? 4 : 2, RESIDENCE_VALUES = PASSAGE_VALUE + BM_PASSAGE;
constexpr int GROWTH_VALUE = RESIDENCE_VALUES + (BM_RESIDENCE ? 6 : 0), PATH_VALUES = GROWTH_VALUE + BM_LYAPUNOV;
constexpr double OCTAVE = 0.69314718055994530942;
#if BM_LYAPUNOV && BM_UNDERDAMPED
// Octaves that the length of the tangent vector is above 1.
BM_FN double octaves(real x, real v) { return 0.5 / OCTAVE * (double)log(x * x + v * v); }
#endif
#if BM_LYAPUNOV
BM_FN double total_growth(Trajectories& s, int l) {
#if BM_UNDERDAMPED
  return (s.growth[l] + octaves(s.tangent[0][l], s.tangent[1][l])) * OCTAVE;
#else
  return s.growth[l];
#endif
}
#endif
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
  const bool diverged = s.stage[l] == DIVERGED;
#if BM_PASSAGE
  value[PASSAGE_VALUE * stride] = diverged ? not_a_number() : s.passed[l];
#endif
#if BM_RESIDENCE
  BM_UNROLL for (int state = 0; state < 2; state++) {
    value[(RESIDENCE_VALUES + state) * stride] = s.resided[state][l];
    value[(RESIDENCE_VALUES + 2 + state) * stride] = s.left[state][l];
  }
  value[(RESIDENCE_VALUES + 4) * stride] = diverged ? not_a_number() : s.since[l];
  value[(RESIDENCE_VALUES + 5) * stride] = s.waits_for[l];
#endif
#if BM_LYAPUNOV
  value[GROWTH_VALUE * stride] = diverged ? not_a_number() : total_growth(s, l);
#endif
  (void)diverged;
}

// A law of initial values: uniform about a centre, plus a normal part; or evenly spaced over the paths of a point.
struct Start {
  real centre, width, deviation;
  uint32_t count;  // of the spaced values, 0 for random ones
};

// What a group records.
struct Recording {
  const double* marks;  // whole steps at which x / L (and v) are recorded, ascending; two or more that are NEVER
  double* samples;  // of the group: value number i of mark k and lane l at [(k * SAMPLE_VALUES + i) * stride + l]
  uint64_t stride;
};

// The measured window, in steps from t = 0.
struct Window {
  double begin, end;
};
struct Parameters;
BM_FN Window window_of(const Parameters& p);

// Some blocks of iterations for one group.
struct Launch {
  uint64_t seed;
  uint64_t trajectory;   // number of the group's first
  uint64_t first_block;  // blocks done before this launch
  uint64_t blocks;
  Recording recording;
  uint64_t path;        // number of the group's first trajectory in its share of the point
  int64_t* occupation;  // of the share: sums of occupation.h
};

constexpr double NEVER = 1e300;
constexpr int SAMPLE_VALUES = BM_UNDERDAMPED ? 2 : 1;  // recorded at a mark
#if BM_MARKS
BM_FN const BM_SELDOM Recording& recording_of(const Launch& launch);
BM_FN double* samples_of(const Launch& launch);  // Recording::samples
// The marks that trajectory l has not passed.
BM_FN const double* next_marks(Trajectories& s, const Launch& launch, int l) {
  return recording_of(launch).marks + s.mark[l];
}
BM_FN double next_mark(Trajectories& s, const Launch& launch, int l) { return load_global(next_marks(s, launch, l)); }
// Trajectory l is at its next mark, at u and with velocity v.
BM_FN void record(Trajectories& s, const Launch& launch, int l, real u, real v) {
  const uint64_t stride = recording_of(launch).stride;
  double* sample = samples_of(launch) + (uint64_t)s.mark[l] * SAMPLE_VALUES * stride + (uint64_t)l;
  store_global(sample, (double)u + s.periods[l]);
  if (SAMPLE_VALUES > 1) store_global(sample + stride, (double)v);
  s.mark[l]++;
}
#endif
// At the end of a launch. A trajectory at its end has passed all marks; one that has diverged is nowhere.
BM_FN void record_rest(Trajectories& s, const Launch& launch) {
#if BM_MARKS
  for (int l = 0; l < LANES; l++)
    while (s.stage[l] >= DONE && next_mark(s, launch, l) < NEVER)
      record(s, launch, l, s.stage[l] == DONE ? s.position[l] : (real)not_a_number(), (real)not_a_number());
#endif
  (void)s, (void)launch;
}
