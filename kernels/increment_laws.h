// Gaussian increments of unit variance: laws that match the normal law's moments, several from one Philox draw.
//   five_point     0 with 1/2, +-sqrt(2 - sqrt 2) and +-sqrt(2 + sqrt 2) with 1/8 each: three bits each; moments up to
//                  the fifth, so of weak order 2 for smooth V.
//   three_point    0 with 2/3, +-sqrt 3 with 1/6 each: a base-6 digit each; moments up to the fifth too, and what the
//                  founding paper uses (Platen, Bruti-Liberati 2010).
//   near_gaussian  one of 64 values: six bits each; moments up to the fifth, and the mean absolute value
//                  (near_gaussian.h). For a V with kinks.
//   gaussian       Box-Muller.
#pragma once
#include "methods.h"

namespace bmsim_kernel {

// A word gives PER_WORD increments, a draw four words. BLOCK iterations are made between two foldings, in runs of RUN
// steps, which a GPU unrolls. A longer block has less overhead at its ends, but contains several marks more often.
constexpr int PER_WORD = BM_INCREMENTS == BM_FIVE_POINT      ? 10
                         : BM_INCREMENTS == BM_THREE_POINT   ? 8
                         : BM_INCREMENTS == BM_NEAR_GAUSSIAN ? 5
                         : BM_INCREMENTS == BM_NO_INCREMENTS ? (BM_QUIET_STEPS ? 32
                                                                : BM_OWN_STEPS ? 8
                                                                               : 16)
                                                             : 1;
constexpr int SOURCES = BM_SOURCES;  // independent white noises
// On a GPU the steps of a particle without events are so short that the beginning of a run counts, and of a block. What
// acts from outside in every step of a block takes shared memory.
constexpr bool LONG_RUNS = BM_OWN_STEPS && BM_COMMON_CLOCK && BM_VARIABLES == 1 && BM_SOURCES == 1 && BM_JUMPS == 0;
constexpr bool LONG_BLOCKS = LONG_RUNS && BM_PHASES + BM_TIMED <= 4;
constexpr int DRAWS = BM_INCREMENTS == BM_GAUSSIAN        ? (LONG_BLOCKS ? 32 : 16)
                      : BM_INCREMENTS == BM_NO_INCREMENTS ? 32 / PER_WORD
                      : BM_INCREMENTS == BM_NEAR_GAUSSIAN ? (LONG_BLOCKS ? 8 : 4)
                      : LONG_BLOCKS                       ? 4
                                                          : 2;
// Words of a run.
constexpr int WORDS = BM_INCREMENTS == BM_GAUSSIAN        ? 4
                      : BM_INCREMENTS == BM_NEAR_GAUSSIAN ? (BM_QUIET_STEPS && BM_SOURCES == 1 ? 4 : 2)
                      : BM_INCREMENTS == BM_FIVE_POINT    ? (LONG_RUNS ? 2 : 1)
                                                          : 1;
constexpr int BLOCK = DRAWS * 4 * PER_WORD, RUN = WORDS * PER_WORD;
// Steps that a warp without events makes at a time.
constexpr int QUIET = BM_INCREMENTS == BM_NO_INCREMENTS ? 4 : PER_WORD == 1 ? RUN : PER_WORD > 5 ? PER_WORD / 2 : 5;
// Steps before which is asked what may happen in them.
constexpr int ASKED = BM_QUIET_STEPS ? QUIET : RUN;
constexpr int NUMBERS = WORDS * SOURCES;  // words, or normal numbers, for a run
// Box and Muller's pair j of a run is two steps of one source: which of the run's normal numbers its member i is.
BM_FN constexpr int source_of_pair(int j) { return j % SOURCES; }
BM_FN constexpr int normal_at(int j, int i) { return (2 * (j / SOURCES) + i) * SOURCES + source_of_pair(j); }

}  // namespace bmsim_kernel
