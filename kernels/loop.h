// The chunk loop: blocks of iterations of one group.
#pragma once
#include "clock.h"
#include "ends.h"
#include "increment_laws.h"
#include "increments.h"
#include "trial.h"

namespace bmsim_kernel {

// Makes the steps of a run, which may be a try (trial.h). Seldom made ones are not unrolled: they would take room in
// the cache from the tries. Nor are those that are too long to be there several times.
template <bool SELDOM, class F> BM_FN void make_steps(int count, F step) {
  if constexpr (SELDOM || BM_CROSSINGS > 0 || BM_METHOD == BM_WALK) {
    BM_NO_UNROLL for (int i = 0; i < count; i++) step(i);
  } else {
    BM_UNROLL_STEPS for (int i = 0; i < count; i++) step(i);
  }
}
// A run on a GPU, some of it in quiet steps (own_clocks.h). A try ends, and false is returned, where more than events
// may happen.
template <bool TRY, class S, class N> BM_FN bool make_run_with_quiet_steps(S& stepper, N next) {
  constexpr bool SELDOM = TRIES && !TRY;
  int first = 0;
  BM_NO_UNROLL do {
    BM_NO_UNROLL while (stepper.quiet()) {
      make_steps<SELDOM>(QUIET,
                         [&](int i) BM_FN_LAMBDA { stepper.template quiet_step<TRY>(next(i, first), first + i); });
      stepper.pass_quiet();
      if ((first += QUIET) == RUN) return true;
    }
    const bool plain = stepper.plain();
    if constexpr (TRY) {
      if (!plain) return false;
      make_steps<SELDOM>(QUIET, [&](int i) BM_FN_LAMBDA { stepper.try_step(next(i, first), first + i); });
    } else {
      if (!plain && stepper.careful())
        make_steps<true>(QUIET, [&](int i) BM_FN_LAMBDA { stepper.careful_step(next(i, first), first + i); });
      else if (BM_MARKED_RUNS && !plain)
        make_steps<SELDOM>(QUIET, [&](int i) BM_FN_LAMBDA {
          if constexpr (BM_MARKED_RUNS) stepper.marked_step(next(i, first), first + i);
        });
      else
        make_steps<SELDOM>(QUIET, [&](int i) BM_FN_LAMBDA { stepper.step(next(i, first), first + i); });
    }
    first += QUIET;
  }
  while (first < RUN)
    ;
  return true;
}
template <bool TRY, class S, class N> BM_FN bool make_run(S& stepper, N next) {
  if constexpr (BM_QUIET_STEPS) {
    return make_run_with_quiet_steps<TRY>(stepper, next);
  } else {
    if constexpr (!TRY && (BM_COMMON_CLOCK || BM_PLAIN_RUNS)) {
      const bool plain = stepper.plain();
      if (!plain && stepper.careful()) {
        make_steps<true>(RUN, [&](int i) BM_FN_LAMBDA { stepper.careful_step(next(i), i); });
        return true;
      }
      if constexpr (BM_MARKED_RUNS)
        if (!plain) {
          make_steps<false>(RUN, [&](int i) BM_FN_LAMBDA { stepper.marked_step(next(i), i); });
          return true;
        }
    }
    make_steps<(TRIES && !TRY)>(RUN, [&](int i) BM_FN_LAMBDA {
      if constexpr (TRY)
        stepper.try_step(next(i), i);
      else
        stepper.step(next(i), i);
    });
    return true;
  }
}

// Whether nothing changes in the rest of a block: all trajectories are at their end. On the common clock one that has
// diverged before it goes on. Threads with steps of their own do not ask.
template <class S> BM_FN bool is_over([[maybe_unused]] Trajectories& s, [[maybe_unused]] const S& stepper) {
  if constexpr (BM_OWN_STEPS) {
    return false;
  } else if constexpr (BM_COMMON_CLOCK) {
    return stepper.ended();
  } else {
    for (int l = 0; l < LANES; l++)
      if (s.stage[l] < DONE) return false;
    return true;
  }
}

// Returns whether there is more to do.
template <class S = Stepper>
BM_FN bool advance(Trajectories& s, const Parameters& p, const Launch& launch, Pools& pools) {
  Increments increments(s, p);
  S stepper(s, p, launch, pools);
  [[maybe_unused]] Trials trials;
  bool more = true;
  for (uint64_t block = launch.first_block; more && block < launch.first_block + launch.blocks; block++) {
    if constexpr (TRIES) trials.begin_block(block);
    stepper.begin_block(block * BLOCK);
    for (uint32_t draw = 0; draw < DRAWS; draw++) {
      increments.draw(launch.seed, block * DRAWS, draw, launch.trajectory);
      BM_NO_UNROLL for (int run = 0; run < BLOCK / DRAWS / RUN; run++) {
        if (is_over(s, stepper)) break;
        if (SOURCES > 1)
          increments.draw_run(launch.seed, (block * DRAWS + draw) * (BLOCK / DRAWS / RUN) + (uint64_t)run,
                              launch.trajectory);
        if (WORDS == 1) increments.use_word((uint32_t)run);
        const auto next = [&](int i, int first = 0) BM_FN_LAMBDA {  // step first + i; first: a multiple of PER_WORD
          if (WORDS > 1 && i % PER_WORD == 0) increments.use_word((uint32_t)(run * WORDS + (first + i) / PER_WORD));
          return increments.next();
        };
        stepper.begin_run((int)draw * (BLOCK / DRAWS / RUN) + run);
        if constexpr (TRIES) {
          if (trials.pay && (BM_QUIET_STEPS || stepper.plain())) {
            const BeforeRun<S> before{s, increments, stepper};
            stepper.begin_try();
            if (make_run<true>(stepper, next) && !group_any(stepper.met())) continue;
            trials.failed++;
            before.restore(s, increments, stepper);
          }
        }
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
