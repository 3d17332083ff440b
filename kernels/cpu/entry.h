// What the engine calls: the layout of this kernel's memory, starting a group, advancing it.
#pragma once

// The parameters of a point: struct Parameters, followed by the tables that are read at computed places.
BM_FN Parameters parameters_at(const void* memory) {
  Parameters p;
  __builtin_memcpy(&p, memory, sizeof p);
  attach_tables(p, (const real*)((const char*)memory + sizeof p));
  return p;
}

#if BM_MARKS
BM_FN const Recording& recording_of(const Launch& launch) { return launch.recording; }
BM_FN double* samples_of(const Launch& launch) { return launch.recording.samples; }
#endif
BM_FN Window window_of(const Parameters& p) { return {p.transient_steps, p.total_steps}; }

extern "C" {
__attribute__((visibility("default"))) void bm_kernel_layout(uint64_t layout[7]) {
  layout[0] = LANES;
  layout[1] = sizeof(Trajectories);
  layout[2] = sizeof(Parameters) + TABLE_BYTES;
  layout[3] = sizeof(Pools);
  layout[4] = BLOCK;
  layout[5] = PATH_VALUES;
  layout[6] = SAMPLE_VALUES;
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
// path_values of every lane; value number i of lane l at values[i * stride + l].
__attribute__((visibility("default"))) void bm_kernel_window(void* group, double* values, uint64_t stride) {
  for (int l = 0; l < LANES; l++) path_values(*(Trajectories*)group, l, values + l, stride);
}
}
