// Functions that the engine calls: layout of this kernel's memory, starting a group, advancing it, its values.
#pragma once
#include "increment_laws.h"
#include "loop.h"
#include "start.h"

namespace bmsim_kernel {

// Parameters of a point: struct Parameters, followed by the tables.
BM_FN Parameters parameters_at(const void* memory) {
  Parameters p;
  __builtin_memcpy(&p, memory, sizeof p);
  attach_tables(p, (const real*)((const char*)memory + sizeof p));
  return p;
}

BM_FN const Recorder& recorder_of(const Launch& launch) { return launch.recorder; }
BM_FN double* samples_of(const Launch& launch) { return launch.recorder.samples; }
BM_FN WindowSteps window_of(const Parameters& p) { return {p.transient_steps, p.total_steps}; }

extern "C" {
__attribute__((visibility("default"))) void bm_kernel_layout(Layout* layout) {
  *layout = {.lanes = LANES,
             .group_bytes = sizeof(Trajectories),
             .parameter_bytes = sizeof(Parameters) + TABLE_BYTES,
             .scratch_bytes = sizeof(Pools),
             .shared_bytes = 0,
             .block = BLOCK,
             .sample_values = SAMPLE_VALUES,
             .path_values = PATH_VALUES};
}
__attribute__((visibility("default"))) void bm_kernel_start(void* group, const void* parameters, const Launch* launch,
                                                            void* pools) {
  ((Pools*)pools)->reset();
  const Parameters p = parameters_at(parameters);
  start_group(*(Trajectories*)group, p, *launch, *(Pools*)pools);
}
__attribute__((visibility("default"))) int bm_kernel_advance(void* group, const void* parameters, const Launch* launch,
                                                             void* pools) {
  ((Pools*)pools)->reset();
  const Parameters p = parameters_at(parameters);
  return advance(*(Trajectories*)group, p, *launch, *(Pools*)pools);
}
// The path_values of every lane; value i of lane l goes to values[i * stride + l].
__attribute__((visibility("default"))) void bm_kernel_window(void* group, double* values, uint64_t stride) {
  for (int l = 0; l < LANES; l++) path_values(*(Trajectories*)group, l, values + l, stride);
}
}

}  // namespace bmsim_kernel
