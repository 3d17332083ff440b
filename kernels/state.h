// What is kept of the trajectories of a group between launches.
#pragma once
#include "abi.h"
#include "methods.h"
#include "special.h"

namespace bmsim_kernel {

using namespace bmsim_abi;

constexpr int EVENT_NOISES = BM_EVENT_NOISES > 0 ? BM_EVENT_NOISES : 1;

// Where a trajectory is: before, in or after the window in which it is measured; or no longer a finite number.
constexpr uint8_t TRANSIENT = 0, MEASURED = 1, DONE = 2, DIVERGED = 3;

struct Trajectories {
  Slot<double> periods;       // whole periods that folding has taken off: x / L = position + periods
  Slot<double> window_start;  // x / L when the transient ended; of a diverged trajectory the step at which it was seen
#if BM_COUNTDOWNS
  // Steps by which this trajectory's clock is behind the number of iterations done; exact, adaptive: behind 0.
  Slot<double> lag;
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

constexpr uint32_t SAMPLE_VALUES = BM_UNDERDAMPED ? 2 : 1;  // recorded at a mark

constexpr PathValues path_values_at() {
  PathValues at{2, 0, 0, 0, 0};
  const auto add = [&](bool has, uint32_t count) {
    const uint32_t first = at.count;
    at.count += has ? count : 0;
    return has ? first : 0;
  };
  at.velocity = add(BM_UNDERDAMPED, 2);
  at.passage = add(BM_PASSAGE, 1);
  at.residence = add(BM_RESIDENCE, Residence::count);
  at.growth = add(BM_LYAPUNOV, 1);
  return at;
}
constexpr PathValues PATH_VALUES = path_values_at();

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
BM_FN void path_values(Trajectories& s, int l, double* values, uint64_t stride) {
  const bool diverged = s.stage[l] == DIVERGED;
  const auto value = [&](uint32_t i) -> double& { return values[i * stride]; };
  value(START) = s.window_start[l];
  value(END) = diverged ? not_a_number() : (double)s.position[l] + s.periods[l];
#if BM_UNDERDAMPED
  value(PATH_VALUES.velocity) = (double)s.velocity[l];
  value(PATH_VALUES.velocity + 1) = 0;
#endif
#if BM_SQUARES
  value(PATH_VALUES.velocity + 1) = s.squares[l];
#endif
#if BM_PASSAGE
  value(PATH_VALUES.passage) = diverged ? not_a_number() : s.passed[l];
#endif
#if BM_RESIDENCE
  const uint32_t first = PATH_VALUES.residence;
  BM_UNROLL for (int state = 0; state < 2; state++) {
    value(first + Residence::low_time + state) = s.resided[state][l];
    value(first + Residence::low_left + state) = s.left[state][l];
  }
  value(first + Residence::since) = diverged ? not_a_number() : s.since[l];
  value(first + Residence::state) = s.waits_for[l];
#endif
#if BM_LYAPUNOV
  value(PATH_VALUES.growth) = diverged ? not_a_number() : total_growth(s, l);
#endif
}

// A law of initial values: uniform about a centre, plus a normal part; or evenly spaced over the paths of a point.
struct Start {
  real centre, width, deviation;
  uint32_t count;  // of the spaced values, 0 for random ones
};

// The measured window, in steps from t = 0.
struct Window {
  double begin, end;
};
struct Parameters;
BM_FN Window window_of(const Parameters& p);

#if BM_MARKS
BM_FN const BM_SELDOM Recorder& recorder_of(const Launch& launch);
BM_FN double* samples_of(const Launch& launch);  // Recorder::samples
// The marks that trajectory l has not passed.
BM_FN const double* next_marks(Trajectories& s, const Launch& launch, int l) {
  return recorder_of(launch).marks + s.mark[l];
}
BM_FN double next_mark(Trajectories& s, const Launch& launch, int l) { return load_global(next_marks(s, launch, l)); }
// Trajectory l is at its next mark, at u and with velocity v.
BM_FN void record(Trajectories& s, const Launch& launch, int l, real u, real v) {
  const uint64_t stride = recorder_of(launch).stride;
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

}  // namespace bmsim_kernel
