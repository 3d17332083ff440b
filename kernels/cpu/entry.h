// Functions that the engine calls: layout of this kernel's memory, starting a group, advancing it, its values.
#pragma once
#include "increment_laws.h"
#include "loop.h"
#include "start.h"
#include "together.h"

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
BM_FN WindowSteps window_of(const Parameters& p) { return {p.transient_steps, p.middle_steps, p.total_steps}; }
BM_FN double apart(Trajectories& s, int l, int i) { return ((Slot<double>*)&s)[i][l]; }
BM_FN void set_apart(Trajectories& s, int l, int i, double x) { ((Slot<double>*)&s)[i][l] = x; }

#if BM_FIELDS
// The groups of a system while they are advanced.
struct Members {
  struct One {
    const Launch launch;
    Increments increments;
    Stepper stepper;
    BM_FN_MEMBER One(Trajectories& s, const Parameters& p, const Launch& mine, Pools& pools)
        : launch(mine), increments(s, p), stepper(s, p, launch, pools) {}
    BM_FN_MEMBER static void* operator new(decltype(sizeof 0), void* place) { return place; }
  };
  One* all;
  int number;
  BM_FN_MEMBER int count() const { return number; }
  BM_FN_MEMBER Member operator[](int k) { return {all[k].launch, all[k].increments, all[k].stepper}; }
};
constexpr uint64_t MEMBER_BYTES = sizeof(Members::One) + Exchange::GROUP_BYTES;
#else
constexpr uint64_t MEMBER_BYTES = 0;
#endif

extern "C" {
__attribute__((visibility("default"))) void bm_kernel_layout(Layout* layout) {
  *layout = {.lanes = LANES,
             .group_bytes = sizeof(Trajectories),
             .parameter_bytes = sizeof(Parameters) + TABLE_BYTES,
             .scratch_bytes = sizeof(Pools),
             .shared_bytes = 0,
             .block = BLOCK,
             .fields = AVERAGED,
             .member_bytes = MEMBER_BYTES,
             .sample_values = SAMPLE_VALUES,
             .marks = BM_MARKS,
             .formulas = BM_FORMULAS,
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
#if BM_FIELDS
// All groups of a share, group_stride bytes apart, with the launch of the first. memory: MEMBER_BYTES for each.
__attribute__((visibility("default"))) int bm_kernel_advance_together(void* groups, uint64_t group_stride,
                                                                      uint64_t count, const void* parameters,
                                                                      const Launch* launch, void* pools, void* memory) {
  const Parameters p = parameters_at(parameters);
  Members::One* all = (Members::One*)memory;
  Exchange exchange((real*)(all + count), count, p);
  const auto group = [&](uint64_t k) -> Trajectories& { return *(Trajectories*)((char*)groups + k * group_stride); };
  for (uint64_t k = 0; k < count; k++) {
    Launch mine = *launch;
    mine.trajectory += k * LANES, mine.path += k * LANES;
    if (mine.recorder.samples) mine.recorder.samples += k * LANES;
    new (&all[k]) Members::One(group(k), p, mine, *(Pools*)pools);
  }
  Members members{all, (int)count};
  const bool more = advance_together(members, exchange, launch->first_block, launch->blocks);
  for (uint64_t k = 0; k < count; k++) record_rest(group(k), all[k].launch);
  return more;
}
#endif
// The path_values of every lane; value i of lane l goes to values[i * stride + l].
__attribute__((visibility("default"))) void bm_kernel_window(void* group, double* values, uint64_t stride) {
  for (int l = 0; l < LANES; l++) path_values(*(Trajectories*)group, l, values + l, stride);
}
}

}  // namespace bmsim_kernel
