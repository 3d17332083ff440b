// The stages of a trajectory, the window in which it is measured, and the marks at which it is recorded.
#pragma once
#include "methods.h"
#include "trajectory.h"

namespace bmsim_kernel {

// Stage of a trajectory: before, in or after the window in which it is measured; or diverged.
constexpr uint8_t TRANSIENT = 0, MEASURED = 1, DONE = 2, DIVERGED = 3;

constexpr uint32_t SAMPLE_VALUES = BM_UNDERDAMPED ? 2 : 1;  // numbers recorded at a mark

// A law of initial values: uniform about a centre, plus a normal part; or evenly spaced over the paths of a point.
struct Start {
  real centre, width, deviation;
  uint32_t count;  // number of spaced values, 0 for random ones
};

// The measured window, in steps from t = 0.
struct WindowSteps {
  double begin, end;
};
struct Parameters;
BM_FN WindowSteps window_of(const Parameters& p);

BM_FN const BM_SELDOM Recorder& recorder_of(const Launch& launch);
BM_FN double* samples_of(const Launch& launch);  // Recorder::samples
// The marks ahead of trajectory l, if paths are recorded.
BM_FN const double* next_marks(Trajectories& s, const Launch& launch, int l) {
  return recorder_of(launch).marks + (uint32_t)s.mark[l];
}
BM_FN double next_mark(Trajectories& s, const Launch& launch, int l) {
  return BM_MARKS ? load_global(next_marks(s, launch, l)) : NEVER;
}
// Records trajectory l at its next mark, at position u and velocity v.
BM_FN void record(Trajectories& s, const Launch& launch, int l, real u, real v) {
  if constexpr (!BM_MARKS) return;
  const uint64_t stride = recorder_of(launch).stride;
  double* sample = samples_of(launch) + (uint64_t)s.mark[l] * SAMPLE_VALUES * stride + (uint64_t)l;
  store_global(sample, (double)u + s.periods[l]);
  if (SAMPLE_VALUES > 1) store_global(sample + stride, (double)v);
  s.mark[l] += 1u;
}
// At the end of a launch: records the remaining marks. A trajectory at its end stands at its last position; one that
// has diverged has none.
BM_FN void record_rest(Trajectories& s, const Launch& launch) {
  for (int l = 0; BM_MARKS && l < LANES; l++)
    while (s.stage[l] >= DONE && next_mark(s, launch, l) < NEVER)
      record(s, launch, l, s.stage[l] == DONE ? s.position[l] : (real)not_a_number(), (real)not_a_number());
}

}  // namespace bmsim_kernel
