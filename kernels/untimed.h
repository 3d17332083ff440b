// What methods without steps share. An iteration lasts until something happens; trajectories are at different times,
// and count down to their boundaries: the beginning and the end of their window, and marks.
#pragma once
#include "sums.h"

namespace bmsim_kernel {

// Steps to the next boundary of a trajectory at its end. Subtracting a wait, of FAR steps at most, does not change it.
constexpr real ENDLESS = (real)(SINGLE ? 1e38 : 1e300);

// Steps to the next boundary of trajectory l, at this time on its clock.
BM_FN double to_boundary(Trajectories& s, const Parameters& p, const Launch& launch, int l, double clock) {
  const double left = to_window(s, p, l, clock);
  const double mark = next_mark(s, launch, l) - clock;
  return BM_MARKS && mark < left ? mark : left;
}

// Trajectory l is at its next boundary, at u: begins its window, records a mark, or ends.
BM_RARE void stand_at_boundary(Trajectories& s, const Parameters& p, const Launch& launch, int l, real u) {
  const WindowSteps window = window_of(p);
  const double clock = to_boundary(s, p, launch, l, 0);
  s.lag[l] = -clock;
  if (s.stage[l] == TRANSIENT && window.begin <= clock) {
    s.window_start[0][l] = (double)u + s.periods[0][l];
    s.stage[l] = MEASURED;
  }
  Place here = {};
  here.u[0] = u;
  if (BM_MARKS && next_mark(s, launch, l) <= clock) record(s, launch, l, here);
  if (s.stage[l] == MEASURED && window.end <= clock) s.stage[l] = DONE, s.position[0][l] = u;
}

// Where the trajectories of a group are in time.
struct Untimed {
  T left, spent, whole;  // steps to the next boundary; steps and periods of this block
  T push;                // displacement by all but V in this block, see Trajectories

  // left_of(l): steps of trajectory l to its next boundary.
  template <class F> BM_FN_MEMBER void begin_block(F left_of) {
    Slot<real> steps;
    for (int l = 0; l < LANES; l++) steps[l] = left_of(l);
    left = load(steps);
    spent = whole = push = T((real)0);
  }
  // at: where all are. False when every trajectory of the group is done.
  BM_FN_MEMBER bool end_block(Trajectories& s, const T& at) {
    add_whole(s);
    add_push(s);
    for (int g = 0; g < PARTS; g++) add_part(s.lag, g, -part(spent, g));
    if (any(!(absolute(at) <= FARTHEST))) end_diverged(s, at, -s.lag[0]);
    for (int l = 0; l < LANES; l++)
      if (s.stage[l] < DONE) return true;
    return false;
  }
  // Those that are `there`, at u, have come to a boundary: stand(l, u) does what there is to do.
  template <class M, class S, class F>
  BM_FN_MEMBER void pass_boundaries(Trajectories& s, const M& there, const T& u, S stand, F left_of) {
    for (int g = 0; g < PARTS; g++) {
      if (!any(part(there, g))) continue;
      Part of_left = part(left, g), of_spent = part(spent, g), of_whole = part(whole, g), of_push = part(push, g);
      each_lane(part(there, g), [&](int i) {
        const int l = g * WIDTH + i;
        s.periods[0][l] += (double)get_lane(of_whole, i);
        const uint8_t before = s.stage[l];
        stand(l, get_lane(part(u, g), i));
        if (BM_PUSHED && s.stage[l] != before) {  // only there: what else is looked at must not change its bits
          s.push[l] = s.stage[l] == DONE ? s.push[l] + (double)get_lane(of_push, i) : 0;
          set_lane(of_push, i, 0);
        }
        set_lane(of_whole, i, 0);
        set_lane(of_spent, i, 0);
        set_lane(of_left, i, left_of(l));
      });
      set_part(left, g, of_left);
      set_part(spent, g, of_spent);
      set_part(whole, g, of_whole);
      set_part(push, g, of_push);
    }
  }
  // What comes after the end of a trajectory is not kept.
  BM_FN_MEMBER void add_whole(Trajectories& s) {
    const T kept = select(left < ENDLESS, whole, (real)0);
    for (int g = 0; g < PARTS; g++) add_part(s.periods[0], g, part(kept, g));
    whole = T((real)0);
  }
  BM_FN_MEMBER void add_push(Trajectories& s) {
    if constexpr (!BM_PUSHED) return;
    const T kept = select(left < ENDLESS, push, (real)0);
    for (int g = 0; g < PARTS; g++) add_part(s.push, g, part(kept, g));
    push = T((real)0);
  }
};

}  // namespace bmsim_kernel
