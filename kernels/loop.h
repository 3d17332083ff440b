// The chunk loop: blocks of iterations of one group.
#pragma once
#include "adaptive_clock.h"
#include "common_clock.h"
#include "exact_clock.h"
#include "increment_laws.h"
#include "increments.h"
#include "own_clocks.h"
#include "trial.h"
#include "walk_clock.h"

namespace bmsim_kernel {

#if BM_CROSSINGS || BM_METHOD == BM_WALK  // too long to be there several times
#define BM_EACH_STEP BM_NO_UNROLL
#else
#define BM_EACH_STEP BM_UNROLL_STEPS
#endif

// Makes the steps of a run, which may be a try (trial.h); on a GPU some as quiet ones (own_clocks.h).
template <bool TRY, class S, class N> BM_FN void make_run(S& stepper, N next) {
  if constexpr (TRIES && !TRY) {  // seldom made; unrolled it would take room in the cache from the tries
#if BM_QUIET_STEPS
    BM_NO_UNROLL for (int first = 0; first < RUN; first += QUIET) {
      if (stepper.quiet())
        BM_NO_UNROLL for (int i = 0; i < QUIET; i++) stepper.template quiet_step<false>(next(i, first), first + i);
      else
        BM_NO_UNROLL for (int i = 0; i < QUIET; i++) stepper.step(next(i, first), first + i);
    }
#else
    BM_NO_UNROLL for (int i = 0; i < RUN; i++) stepper.step(next(i), i);
#endif
    return;
  }
  const auto step = [&](int i, int first) BM_FN_LAMBDA {
    if constexpr (TRY)
      stepper.try_step(next(i, first), first + i);
    else
      stepper.step(next(i, first), first + i);
  };
#if BM_QUIET_STEPS
  BM_NO_UNROLL for (int first = 0; first < RUN; first += QUIET) {
    if (stepper.quiet())
      BM_EACH_STEP for (int i = 0; i < QUIET; i++) stepper.template quiet_step<TRY>(next(i, first), first + i);
    else
      BM_EACH_STEP for (int i = 0; i < QUIET; i++) step(i, first);
  }
#else
  BM_EACH_STEP for (int i = 0; i < RUN; i++) step(i, 0);
#endif
}

// Whether nothing changes in the rest of a block: all trajectories are at their end. On the common clock one that has
// diverged before it goes on.
#if !BM_OWN_STEPS
BM_FN bool is_over([[maybe_unused]] Trajectories& s, [[maybe_unused]] const Stepper& stepper) {
#if BM_COMMON_CLOCK
  return stepper.ended();
#else
  for (int l = 0; l < LANES; l++)
    if (s.stage[l] < DONE) return false;
  return true;
#endif
}
#endif

// Returns whether there is more to do.
BM_FN bool advance(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools) {
  Increments increments(p);
  Stepper stepper(s, p, launch, pools);
  [[maybe_unused]] Trials trials;
  bool more = true;
  for (uint64_t block = launch.first_block; more && block < launch.first_block + launch.blocks; block++) {
    if constexpr (TRIES) trials.begin_block(block);
    stepper.begin_block(block * BLOCK);
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
      increments.draw(launch.seed, block * DRAWS, draw, launch.trajectory);
      BM_NO_UNROLL for (int run = 0; run < BLOCK / DRAWS / RUN; run++) {
#if !BM_OWN_STEPS
        if (is_over(s, stepper)) break;
#endif
        if (SOURCES > 1)
          increments.draw_run(launch.seed, (block * DRAWS + draw) * (BLOCK / DRAWS / RUN) + (uint64_t)run,
                              launch.trajectory);
        if (WORDS == 1) increments.use_word((uint32_t)run);
        const auto next = [&](int i, int first = 0) BM_FN_LAMBDA {  // step first + i; first: a multiple of PER_WORD
          if (WORDS > 1 && i % PER_WORD == 0) increments.use_word((uint32_t)(run * WORDS + (first + i) / PER_WORD));
          return increments.next();
        };
        stepper.begin_run((int)draw * (BLOCK / DRAWS) + run * RUN);
#if BM_COMMON_CLOCK || BM_PLAIN_RUNS
        const bool plain = stepper.plain();
        if constexpr (TRIES) {
          if (plain && trials.pay) {
            const BeforeRun<Stepper> before{s, increments, stepper};
            stepper.begin_try();
            make_run<true>(stepper, next);
            if (!group_any(stepper.met())) continue;
            trials.failed++;
            before.restore(s, increments, stepper);
          }
        }
        if (!plain) {
          if (stepper.careful()) {
            BM_NO_UNROLL for (int i = 0; i < RUN; i++) stepper.careful_step(next(i), i);
            continue;
          }
#if BM_MARKED_RUNS
          BM_EACH_STEP for (int i = 0; i < RUN; i++) stepper.marked_step(next(i), i);
          continue;
#endif
        }
#endif
        make_run<false>(stepper, next);
      }
    }
    more = group_any(stepper.end_block());
  }
  stepper.save();
  record_rest(s, launch);
  return more;
}

}  // namespace bmsim_kernel
