// The chunk loop: blocks of iterations of one group.
#pragma once
#include "clock.h"
#include "ends.h"
#include "increment_laws.h"
#include "increments.h"
#include "trial.h"

namespace bmsim_kernel {

#if BM_CROSSINGS
constexpr bool LONG_EVENTS = DIVIDES_STEPS;
#else
constexpr bool LONG_EVENTS = false;
#endif
// Makes the steps of a run, which may be a try (trial.h). Seldom made ones are not unrolled: they would take room in
// the cache from the tries. Nor are those with events that divide steps, which are too long to be there several times.
// begin_word(i): before the first step, i, of each word.
template <bool SELDOM, class B, class F> BM_FN void make_steps(int count, B begin_word, F step) {
  if constexpr (BM_COMMON_CLOCK && (BM_CROSSINGS > 0 || (SELDOM && !BM_INERTIAL))) {
    BM_NO_UNROLL for (int first = 0; first < RUN; first += PER_WORD) {
      begin_word(first);
      if constexpr (SELDOM || LONG_EVENTS)
        BM_NO_UNROLL for (int i = 0; i < PER_WORD; i++) step(first + i);
      else
        BM_UNROLL_STEPS for (int i = 0; i < PER_WORD; i++) step(first + i);
    }
  } else if constexpr (SELDOM || BM_CROSSINGS > 0 || BM_METHOD == BM_WALK) {
    BM_NO_UNROLL for (int i = 0; i < count; i++) {
      if (i % PER_WORD == 0) begin_word(i);
      step(i);
    }
  } else {
    BM_UNROLL_STEPS for (int i = 0; i < count; i++) {
      if (i % PER_WORD == 0) begin_word(i);
      step(i);
    }
  }
}
// The words of a run, and the increments of its steps. step: the first of a word.
template <class B> struct RunIncrements {
  Increments& increments;
  B begin;
  BM_FN_MEMBER void begin_word(int step) const {
    if constexpr (WORDS > 1) begin(step / PER_WORD);
  }
  BM_FN_MEMBER White<T> next() const { return increments.next(); }
};
// A run on a GPU, some of it in quiet steps (own_clocks.h). A try ends, and false is returned, where more than events
// may happen.
template <bool TRY, class S, class N> BM_FN bool make_run_with_quiet_steps(S& stepper, const N& of_run) {
  constexpr bool SELDOM = TRIES && !TRY;
  int first = 0;
  const auto begin_word = [&](int i) BM_FN_LAMBDA { of_run.begin_word(first + i); };
  BM_NO_UNROLL do {
    BM_NO_UNROLL while (stepper.quiet()) {
      make_steps<SELDOM>(QUIET, begin_word,
                         [&](int i) BM_FN_LAMBDA { stepper.template quiet_step<TRY>(of_run.next(), first + i); });
      stepper.pass_quiet();
      if ((first += QUIET) == RUN) return true;
    }
    const bool plain = stepper.plain();
    if constexpr (TRY) {
      if (!plain) return false;
      make_steps<SELDOM>(QUIET, begin_word, [&](int i) BM_FN_LAMBDA { stepper.try_step(of_run.next(), first + i); });
    } else {
      if (!plain && stepper.careful())
        make_steps<true>(QUIET, begin_word,
                         [&](int i) BM_FN_LAMBDA { stepper.careful_step(of_run.next(), first + i); });
      else if (BM_MARKED_RUNS && !plain)
        make_steps<SELDOM>(QUIET, begin_word, [&](int i) BM_FN_LAMBDA {
          if constexpr (BM_MARKED_RUNS) stepper.marked_step(of_run.next(), first + i);
        });
      else
        make_steps<SELDOM>(QUIET, begin_word, [&](int i) BM_FN_LAMBDA { stepper.step(of_run.next(), first + i); });
    }
    first += QUIET;
  }
  while (first < RUN)
    ;
  return true;
}
template <bool TRY, class S, class N> BM_FN bool make_run(S& stepper, const N& of_run) {
  if constexpr (BM_QUIET_STEPS) {
    return make_run_with_quiet_steps<TRY>(stepper, of_run);
  } else {
    const auto begin_word = [&](int i) BM_FN_LAMBDA { of_run.begin_word(i); };
    if constexpr (!TRY && (BM_COMMON_CLOCK || BM_PLAIN_RUNS)) {
      const bool plain = stepper.plain();
      if (!plain && stepper.careful()) {
        make_steps<true>(RUN, begin_word, [&](int i) BM_FN_LAMBDA { stepper.careful_step(of_run.next(), i); });
        return true;
      }
      if constexpr (BM_MARKED_RUNS)
        if (!plain) {
          make_steps<false>(RUN, begin_word, [&](int i) BM_FN_LAMBDA { stepper.marked_step(of_run.next(), i); });
          return true;
        }
    }
    make_steps<(TRIES && !TRY)>(RUN, begin_word, [&](int i) BM_FN_LAMBDA {
      if constexpr (TRY)
        stepper.try_step(of_run.next(), i);
      else
        stepper.step(of_run.next(), i);
    });
    return true;
  }
}

// Whether nothing changes in the rest of a block: all trajectories are at their end. On the common clock one that has
// diverged before it goes on. Threads with steps of their own do not ask; nor does a CPU where tests define BM_GOES_ON,
// to see that nothing counts after the end.
#ifdef BM_GOES_ON
constexpr bool GOES_ON = true;
#else
constexpr bool GOES_ON = BM_OWN_STEPS;
#endif
template <class S> BM_FN bool is_over([[maybe_unused]] Trajectories& s, [[maybe_unused]] const S& stepper) {
  if constexpr (GOES_ON) {
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
        const auto begin_word = [&](int word) BM_FN_LAMBDA { increments.use_word((uint32_t)(run * WORDS + word)); };
        const RunIncrements<decltype(begin_word)> of_run{increments, begin_word};
        stepper.begin_run((int)draw * (BLOCK / DRAWS / RUN) + run);
        if constexpr (TRIES) {
          if (trials.pay && (BM_QUIET_STEPS || stepper.plain())) {
            const BeforeRun<S> before{s, increments, stepper};
            stepper.begin_try();
            if (make_run<true>(stepper, of_run) && !group_any(stepper.met())) continue;
            trials.failed++;
            before.restore(s, increments, stepper);
          }
        }
        make_run<false>(stepper, of_run);
      }
    }
    more = group_any(stepper.end_block());
  }
  stepper.save();
  record_rest(s, launch);
  return more;
}

}  // namespace bmsim_kernel
