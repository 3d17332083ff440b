// The start of trajectories: initial positions, velocities, states of noises, first events.
#pragma once
#include "crossings.h"
#include "events.h"
#include "hazards.h"
#include "sums.h"

namespace bmsim_kernel {

// The initial value of each trajectory. number: of the variable or velocity; path: index of the path among those that
// differ in this value and the following ones.
BM_FN void draw_start(const Start& law, const Launch& launch, uint32_t stream, uint32_t number, Slot<uint32_t>& path,
                      Slot<real>& value) {
  Slot<real> u, v, e;
  draw_uniforms(launch.seed, stream, 3 * number, launch.trajectory, u);
  draw_uniforms(launch.seed, stream, 3 * number + 1, launch.trajectory, v);
  draw_uniforms(launch.seed, stream, 3 * number + 2, launch.trajectory, e);
  for (int l = 0; l < LANES; l++) {
    const uint32_t index = law.count > 0 ? path[l] % law.count : 0;
    path[l] = path[l] / (law.count > 0 ? law.count : 1);
    const real place = law.count > 0 ? ((real)index + (real)0.5) / (real)law.count : u[l];
    value[l] = law.centre + law.width * (place - (real)0.5) + law.deviation * normal(v[l], -log(e[l]));
  }
}

BM_FN void start_group(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools) {
  clear(s);
  Slot<uint32_t> path;
  for (int l = 0; l < LANES; l++) path[l] = (uint32_t)((launch.trajectory + (uint64_t)l) % (uint64_t)p.paths);
  for (int i = 0; i < VARIABLES; i++)
    draw_start(p.start_x[i], launch, STREAM_POSITION, (uint32_t)i, path, s.position[i]);
#if BM_VELOCITIES
  for (int i = 0; i < VARIABLES; i++)
    if (is_inertial(i))
      draw_start(p.start_v[i], launch, STREAM_VELOCITY, (uint32_t)i, path, s.velocity[velocity_of(i)]);
#endif
  for (int l = 0; l < LANES; l++) Counters::start(s, p, launch, l);
  start_states(s, p, launch);
#if BM_COUNTDOWNS
  Events events(s, p, launch, pools);
  for (int l = 0; l < LANES; l++) events.start(l);
#else
  (void)pools;
#endif
  Crossings::start(s, p, launch);
  for (int l = 0; l < LANES; l++)
    Hazards::start(s, p, launch, l,
                   BM_FIELDS > 0   ? 0  // unknown as yet
                   : BM_COUNTDOWNS ? (real)0.5 * minimum((real)s.next[l], (real)1)
                                   : (real)0.5);
}

}  // namespace bmsim_kernel
