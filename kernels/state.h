// The stages of a trajectory, the window in which it is measured, and the marks at which it is recorded.
#pragma once
#include "methods.h"
#include "trajectory.h"

namespace bmsim_kernel {

// Stage of a trajectory: before, in or after the window in which it is measured; or diverged.
constexpr uint8_t TRANSIENT = 0, MEASURED = 1, DONE = 2, DIVERGED = 3;

// Variables of the model, in its order. Some have inertia, and with it a velocity.
constexpr int VARIABLES = BM_VARIABLES, VELOCITIES = BM_VELOCITIES;
// Whether bit i of a mask of variables is set, and how many are set before it; without a loop, so that compilers know
// it as soon as i.
BM_FN constexpr bool has(uint32_t mask, int i) { return mask >> i & 1; }
BM_FN constexpr int index_of(uint32_t mask, int i) {
  const uint32_t before = mask & ((1u << i) - 1u), pairs = before - (before >> 1 & 0x55555555u);
  const uint32_t fours = (pairs & 0x33333333u) + (pairs >> 2 & 0x33333333u);
  return (int)((((fours + (fours >> 4)) & 0x0f0f0f0fu) * 0x01010101u) >> 24);
}
BM_FN constexpr bool is_inertial(int i) { return has(BM_INERTIAL, i); }
BM_FN constexpr int velocity_of(int i) { return index_of(BM_INERTIAL, i); }

// The variable whose whole periods are taken off variable i.
BM_FN constexpr int folds_with(int i) {
  constexpr int leader[] = {BM_FOLDS_WITH};
  return leader[i];
}

// The numbers of all variables, as template arguments.
template <int... I> struct Indices {};
template <int N, int... I> struct IndicesBelow : IndicesBelow<N - 1, N - 1, I...> {};
template <int... I> struct IndicesBelow<0, I...> { typedef Indices<I...> List; };
typedef IndicesBelow<VARIABLES>::List AllVariables;

constexpr int SEEN = BM_SEEN;  // the variable whose positions counters look at

constexpr real NOTHING = (real)-0.0;  // neutral in sums, also for compilers

// Numbers at a mark: those that are recorded, and formulas of them, which are computed afterwards.
constexpr uint32_t SAMPLE_VALUES = VARIABLES + VELOCITIES + BM_FORMULAS;

// Independent white noises, unit increments of a whole step, or of the standard deviation of the only one.
template <class X> struct White { X of[BM_SOURCES]; };
BM_FN White<Part> part(const White<T>& all, int g) {
  White<Part> some;
  BM_UNROLL for (int k = 0; k < BM_SOURCES; k++) some.of[k] = part(all.of[k], g);
  return some;
}

// A law of initial values: uniform about a centre, plus a normal part; or evenly spaced over the paths of a point.
struct Start {
  real centre, width, deviation;
  uint32_t count;  // number of spaced values, 0 for random ones
};

// The measured window, in steps from t = 0. middle: where its halves meet, if they are compared (BM_HALVES).
struct WindowSteps {
  double begin, middle, end;
};

// Numbers that are averaged over the trajectories of a system: the mean fields, and what events within a step have
// changed (jumps.h).
constexpr int AVERAGED = BM_FIELDS > 0 && BM_CROSSINGS > 0 ? 2 * BM_FIELDS + 2 : BM_FIELDS;
struct Parameters;
BM_FN WindowSteps window_of(const Parameters& p);
// Steps on the clock of trajectory l to the beginning or the end of its window.
BM_FN double to_window(Trajectories& s, const Parameters& p, int l, double clock) {
  const WindowSteps window = window_of(p);
  return (s.stage[l] == TRANSIENT ? window.begin : window.end) - clock;
}
// Number i of trajectory l of those that are seldom used, AT_...: the first of a state. While trajectories move on a
// GPU they stay in memory (entry.h), so that they take no registers.
BM_FN double apart(Trajectories& s, int l, int i);
BM_FN void set_apart(Trajectories& s, int l, int i, double x);
// Value i of window_middle of trajectory l, and the time at which all of them are; whether that has been set.
BM_FN void keep_middle(Trajectories& s, int l, int i, double x) { set_apart(s, l, AT_WINDOW_MIDDLE + i, x); }
BM_FN void keep_middle_time(Trajectories& s, int l, double steps) { set_apart(s, l, AT_MIDDLE_TIME, steps); }
BM_FN bool middle_is_kept(Trajectories& s, int l) { return apart(s, l, AT_MIDDLE_TIME) != 0; }

BM_FN const BM_SELDOM Recorder& recorder_of(const Launch& launch);
BM_FN double* samples_of(const Launch& launch);  // Recorder::samples
// The marks ahead of trajectory l, if paths are recorded.
BM_FN const double* next_marks(Trajectories& s, const Launch& launch, int l) {
  return recorder_of(launch).marks + (uint32_t)s.mark[l];
}
BM_FN double next_mark(Trajectories& s, const Launch& launch, int l) {
  return BM_MARKS ? load_global(next_marks(s, launch, l)) : NEVER;
}
// Phases of the model's formulas, where amplitudes of kicks depend on time.
template <bool HAS> struct KickPhases { real phase[BM_POTENTIAL_PHASES > 0 ? BM_POTENTIAL_PHASES : 1]; };
template <> struct KickPhases<false> { static constexpr Absent phase = {}; };
// Positions and velocities of one trajectory.
struct Place : KickPhases<BM_KICK_PHASES> {
  real u[VARIABLES], v[VELOCITIES > 0 ? VELOCITIES : 1];
};
// Phases that formulas read there.
template <class P> BM_FN const real* phases_at([[maybe_unused]] const P& place) {
  if constexpr (BM_KICK_PHASES)
    return &place.phase[0];
  else
    return 0;
}
BM_FN Place place_of(Trajectories& s, int l) {
  Place place = {};
  BM_UNROLL for (int i = 0; i < VARIABLES; i++) place.u[i] = s.position[i][l];
  BM_UNROLL for (int i = 0; i < VELOCITIES; i++) place.v[i] = s.velocity[i][l];
  return place;
}
// Whether trajectory l has come to its end, at a wall that absorbs, by this time in steps: see ends.h.
BM_FN bool has_ended(Trajectories& s, int l, double steps);
// Records trajectory l at its next mark. After its end at a wall, and when it has diverged, it has no place.
BM_FN void record(Trajectories& s, const Launch& launch, int l, const Place& at) {
  if constexpr (!BM_MARKS) return;
  const bool nowhere = s.stage[l] == DIVERGED || (BM_ABSORBS && has_ended(s, l, next_mark(s, launch, l)));
  const auto place = [&](double x) BM_FN_LAMBDA { return nowhere ? not_a_number() : x; };
  const uint64_t stride = recorder_of(launch).stride;
  double* sample = samples_of(launch) + (uint64_t)s.mark[l] * SAMPLE_VALUES * stride + (uint64_t)l;
  BM_UNROLL for (int i = 0; i < VARIABLES; i++)
      store_global(sample + (uint64_t)i * stride, place((double)at.u[i] + s.periods[i][l]));
  BM_UNROLL for (int i = 0; i < VELOCITIES; i++)
      store_global(sample + (uint64_t)(VARIABLES + i) * stride, place((double)at.v[i]));
  s.mark[l] += 1u;
}
// At the end of a launch: records the remaining marks of trajectories that stand still, at their last position. On the
// common clock a group comes to its marks together: one that has diverged is recorded with the others until all are at
// their end. If it were ahead of them, they would take its marks for theirs, or it would get more marks than there are.
BM_FN void record_rest(Trajectories& s, const Launch& launch) {
  if constexpr (!BM_MARKS) return;
  bool open = false;
  for (int l = 0; l < LANES; l++) open = open || s.stage[l] < DONE;
  if (BM_COMMON_CLOCK && group_any(open)) return;
  for (int l = 0; l < LANES; l++) {
    if (s.stage[l] < DONE) continue;
    Place at = place_of(s, l);
    BM_UNROLL for (int i = 0; i < VELOCITIES; i++) at.v[i] = (real)not_a_number();
    while (next_mark(s, launch, l) < NEVER) record(s, launch, l, at);
  }
}

}  // namespace bmsim_kernel
