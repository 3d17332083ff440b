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

// Makes the steps of a run, which may be a try (trial.h). Seldom made ones are not unrolled: they would take room in
// the cache from the tries.
template <bool SELDOM, class F> BM_FN void make_steps(int count, F step) {
  if constexpr (SELDOM) {
    BM_NO_UNROLL for (int i = 0; i < count; i++) step(i);
  } else {
    BM_EACH_STEP for (int i = 0; i < count; i++) step(i);
  }
}
#if BM_QUIET_STEPS
// On a GPU, some as quiet steps (own_clocks.h). A try ends, and false is returned, where more than events may happen.
template <bool TRY, class S, class N> BM_FN bool make_run(S& stepper, N next) {
  constexpr bool SELDOM = TRIES && !TRY;
  int first = 0;
  BM_NO_UNROLL do {
    BM_NO_UNROLL while (stepper.quiet()) {
      make_steps<SELDOM>(QUIET,
                         [&](int i) BM_FN_LAMBDA { stepper.template quiet_step<TRY>(next(i, first), first + i); });
      if ((first += QUIET) == RUN) return true;
    }
    const bool plain = stepper.plain();
    if constexpr (TRY) {
      if (!plain) return false;
      make_steps<SELDOM>(QUIET, [&](int i) BM_FN_LAMBDA { stepper.try_step(next(i, first), first + i); });
    } else {
      if (!plain && stepper.careful())
        make_steps<true>(QUIET, [&](int i) BM_FN_LAMBDA { stepper.careful_step(next(i, first), first + i); });
#if BM_MARKED_RUNS
      else if (!plain)
        make_steps<SELDOM>(QUIET, [&](int i) BM_FN_LAMBDA { stepper.marked_step(next(i, first), first + i); });
#endif
      else
        make_steps<SELDOM>(QUIET, [&](int i) BM_FN_LAMBDA { stepper.step(next(i, first), first + i); });
    }
    first += QUIET;
  }
  while (first < RUN)
    ;
  return true;
}
#else
template <bool TRY, class S, class N> BM_FN bool make_run(S& stepper, N next) {
#if BM_COMMON_CLOCK || BM_PLAIN_RUNS
  if (!TRY && !stepper.plain()) {
    if (stepper.careful()) {
      make_steps<true>(RUN, [&](int i) BM_FN_LAMBDA { stepper.careful_step(next(i), i); });
      return true;
    }
#if BM_MARKED_RUNS
    make_steps<false>(RUN, [&](int i) BM_FN_LAMBDA { stepper.marked_step(next(i), i); });
    return true;
#endif
  }
#endif
  make_steps<(TRIES && !TRY)>(RUN, [&](int i) BM_FN_LAMBDA {
    if constexpr (TRY)
      stepper.try_step(next(i), i);
    else
      stepper.step(next(i), i);
  });
  return true;
}
#endif

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
  Increments increments(s, p);
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
        stepper.begin_run((int)draw * (BLOCK / DRAWS / RUN) + run);
#if BM_COMMON_CLOCK || BM_PLAIN_RUNS
        if constexpr (TRIES) {
          if (trials.pay && (BM_QUIET_STEPS || stepper.plain())) {
            const BeforeRun<Stepper> before{s, increments, stepper};
            stepper.begin_try();
            if (make_run<true>(stepper, next) && !group_any(stepper.met())) continue;
            trials.failed++;
            before.restore(s, increments, stepper);
          }
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
