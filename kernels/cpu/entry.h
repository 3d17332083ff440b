// What the engine calls: the layout of this kernel's memory, starting a group, advancing it.
#pragma once

extern "C" {
__attribute__((visibility("default"))) void bm_kernel_layout(uint64_t layout[5]) {
  layout[0] = LANES;
  layout[1] = sizeof(Trajectories);
  layout[2] = sizeof(Parameters);
  layout[3] = sizeof(Pools);
  layout[4] = BLOCK;
}
__attribute__((visibility("default"))) void bm_kernel_start(void* group, const void* parameters, const Launch* launch,
                                                            void* pools) {
  ((Pools*)pools)->reset();
  start_group(*(Trajectories*)group, *(const Parameters*)parameters, *launch, *(Pools*)pools);
}
__attribute__((visibility("default"))) int bm_kernel_advance(void* group, const void* parameters, const Launch* launch,
                                                             void* pools) {
  ((Pools*)pools)->reset();
  return advance(*(Trajectories*)group, *(const Parameters*)parameters, *launch, *(Pools*)pools);
}
// Positions at the beginning and at the end of the window, in units of the period.
__attribute__((visibility("default"))) void bm_kernel_window(const void* group, double* start, double* end) {
  const Trajectories& s = *(const Trajectories*)group;
  for (int l = 0; l < LANES; l++) {
    start[l] = s.window_start.lane[l];
    end[l] = (double)s.position.lane[l] + s.periods.lane[l];
  }
}
}
