// How often events of the script happen within the window, how long each waits for the next one of its kind, and a
// function of the state just before and after them.
//
// A wait is counted if it begins early enough for all of the histogram's range to be within the window: so long waits
// are not missed, whatever the window is.
#pragma once
#include "counter.h"

namespace bmsim_kernel {

class EventCount : public Counter {
 public:
  typedef EventCountValues Values;
  BM_FN_MEMBER EventCount(Trajectories& s, const Parameters& p, const Launch& launch) : Counter(s, p, launch) {}

  BM_FN_MEMBER static void start(Trajectories& s, const Parameters&, const Launch&, int l) {
    BM_UNROLL for (int k = 0; k < EVENTS; k++) s.event_count.last[k][l] = NEVER;
  }
  BM_FN_MEMBER static void event(Trajectories& s, const Launch& launch, int l, int number, const Place& before,
                                 const Place& after, double time, const Parameters& p) {
    if (BM_COUNTDOWNS ? s.stage[l] != MEASURED : time < window_of(p).begin) return;
    BM_UNROLL for (int k = 0; k < EVENTS; k++) {
      if (k != number) continue;
      s.event_count.number[k][l] += 1;
      if constexpr (VALUED) {
        s.event_count.before[k][l] += value_at(before, p);
        s.event_count.after[k][l] += value_at(after, p);
      }
      if (p.event_count.bins == 0) continue;
      const uint64_t path = launch.path + (uint64_t)l, paths = (uint64_t)p.paths;
      if (path >= paths) continue;
      const uint64_t group = ((path + 1) * p.event_count.path_groups - 1) / paths;
      // beginnings of waits, then bins
      int64_t* sums = launch.sums + (group * EVENTS + (uint64_t)k) * (p.event_count.bins + 1);
      const double bin = (time - s.event_count.last[k][l]) * p.event_count.bins_per_step;
      if (bin >= 0 && bin < (double)p.event_count.bins) add_shared(sums + 1 + (uint32_t)bin, 1);
      const bool begins = time + p.event_count.range <= p.total_steps;
      if (begins) add_shared(sums, 1);
      s.event_count.last[k][l] = begins ? time : NEVER;
    }
  }
  template <class F> BM_FN_MEMBER static void values(Trajectories& s, int l, bool diverged, F value) {
    BM_UNROLL for (int k = 0; k < EVENTS; k++) {
      value((uint32_t)k) = diverged ? not_a_number() : (double)s.event_count.number[k][l];
      if constexpr (VALUED) {
        value((uint32_t)(EVENTS + k)) = (double)s.event_count.before[k][l];
        value((uint32_t)(2 * EVENTS + k)) = (double)s.event_count.after[k][l];
      }
    }
  }

 private:
  static constexpr int EVENTS = sizeof(EventCountState::number) / sizeof(Slot<double>);
  static constexpr bool VALUED = (int)Values::count > EVENTS;
  BM_FN_MEMBER static double value_at([[maybe_unused]] const Place& place, [[maybe_unused]] const Parameters& p) {
    if constexpr (!BM_OBSERVED) return 0;
    real values[OBSERVED];
    observed_values(place.u, place.v, Outside<real>(), p, values);
    return (double)values[BM_AT_EVENTS];
  }
};

}  // namespace bmsim_kernel
