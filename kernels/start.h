// The start of trajectories: initial positions, velocities, states of noises, first events.
#pragma once
#include "events.h"
#include "sums.h"

namespace bmsim_kernel {

// index: which of the evenly spaced values trajectory l has.
BM_FN void draw_start(const Start& law, const Launch& launch, uint32_t stream, Slot<uint32_t>& index,
                      Slot<real>& value) {
  Slot<real> u, v, e;
  draw_uniforms(launch.seed, stream, 0, launch.trajectory, u);
  draw_uniforms(launch.seed, stream, 1, launch.trajectory, v);
  draw_uniforms(launch.seed, stream, 2, launch.trajectory, e);
  for (int l = 0; l < LANES; l++) {
    const real place = law.count > 0 ? ((real)index[l] + (real)0.5) / (real)law.count : u[l];
    value[l] = law.centre + law.width * (place - (real)0.5) + law.deviation * normal(v[l], -log(e[l]));
  }
}

BM_FN void start_group(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools) {
  clear(s);
  Slot<uint32_t> column, row;
  for (int l = 0; l < LANES; l++) {
    const uint32_t path = (uint32_t)((launch.trajectory + (uint64_t)l) % (uint64_t)p.paths);
    column[l] = p.start_x.count > 0 ? path % p.start_x.count : 0;
    row[l] = path / (p.start_x.count > 0 ? p.start_x.count : 1);
  }
  draw_start(p.start_x, launch, STREAM_POSITION, column, s.position);
#if BM_UNDERDAMPED
  for (int l = 0; l < LANES; l++) row[l] = p.start_v.count > 0 ? row[l] % p.start_v.count : 0;
  draw_start(p.start_v, launch, STREAM_VELOCITY, row, s.velocity);
#endif
  for (int l = 0; l < LANES; l++) Counters::start(s, p, l);
  start_states(s, p, launch);
#if BM_COUNTDOWNS
  Events events(s, p, launch, pools);
  for (int l = 0; l < LANES; l++) events.start(l);
#else
  (void)pools;
#endif
}

}  // namespace bmsim_kernel
