// Runs of steps on a GPU that watch levels. Steps only note how far positions go. A run in which a level was met, by
// any thread of the warp, is made again with a look at every step: the same steps, since random numbers are counted and
// nothing outside the trajectory is changed by a plain run. Where that is often, runs are made with a look at once.
#pragma once
#include "counters.h"
#include "increments.h"

namespace bmsim_kernel {

constexpr bool TRIES = BM_OWN_STEPS && Counters::TRIES && (BM_COMMON_CLOCK || BM_PLAIN_RUNS) && !BM_COARSE &&
                       !BM_FIELDS && !BM_SETS && !BM_HAZARDS && !BM_CROSSINGS && !BM_SEEN_SPREADS &&
                       BM_METHOD != BM_PAPER;

// The lowest and the highest position in a run.
struct Range {
  T low, high;
  BM_FN_MEMBER void begin() {
    low = T((real)1e37);
    high = T((real)-1e37);
  }
  BM_FN_MEMBER void see(const Seen<T>& u) {
    low = minimum(low, u.at);
    high = maximum(high, u.at);
  }
};

// Whether trials pay: not in a block after one in which a fourth of the runs had to be made again; in every eighth it
// is found out anew.
struct Trials {
  int failed = 0;
  bool pay = true;
  BM_FN_MEMBER void begin_block(uint64_t block) {
    pay = pay ? failed * 4 <= BLOCK / RUN : block % 8 == 0;
    failed = 0;
  }
};

// What a plain run changes.
template <class S> struct BeforeRun {
  Trajectories s;
  Increments increments;
  S stepper;

  BM_FN_MEMBER void restore(Trajectories& all, Increments& drawn, S& moved) const {
    copy_bytes(all, s);
    copy_bytes(drawn, increments);
    copy_bytes(moved, stepper);
  }
};

}  // namespace bmsim_kernel
