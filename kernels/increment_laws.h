// Gaussian increments of unit variance: laws that match the normal law's moments, several from one Philox draw.
//   five_point     0 with 1/2, +-sqrt(2 - sqrt 2) and +-sqrt(2 + sqrt 2) with 1/8 each: three bits each; moments up to
//                  the fifth, so of weak order 2 for smooth V.
//   three_point    0 with 2/3, +-sqrt 3 with 1/6 each: a base-6 digit each; moments up to the fifth too, and what the
//                  founding paper uses (Platen, Bruti-Liberati 2010).
//   near_gaussian  one of 64 values: six bits each; moments up to the fifth, and the mean absolute value
//                  (near_gaussian.h). For a V with kinks.
//   gaussian       Box-Muller: two numbers of a word, of 2^21 radii and 2^11 angles. All moments of the angle up to
//                  order 2047 are exact; the variance is too small by 2e-7 of it, and no number is above 5.6.
#pragma once
#include "methods.h"

namespace bmsim_kernel {

// A word gives PER_WORD increments, a draw four words. BLOCK iterations are made between two foldings, in runs of RUN
// steps, which a GPU unrolls. A longer block has less overhead at its ends, but contains several marks more often.
constexpr int PER_WORD = BM_INCREMENTS == BM_FIVE_POINT      ? 10
                         : BM_INCREMENTS == BM_THREE_POINT   ? 8
                         : BM_INCREMENTS == BM_NEAR_GAUSSIAN ? 5
                         : BM_INCREMENTS == BM_GAUSSIAN      ? 2
                         : BM_INCREMENTS == BM_NO_INCREMENTS ? (BM_QUIET_STEPS ? 32
                                                                : BM_OWN_STEPS ? 8
                                                                               : 16)
                                                             : 1;
constexpr int SOURCES = BM_SOURCES;  // independent white noises
// On a GPU the steps of a particle without events are so short that the beginning of a run counts, and of a block. What
// acts from outside in every step of a block takes shared memory.
constexpr bool LONG_RUNS = BM_OWN_STEPS && BM_COMMON_CLOCK && BM_VARIABLES == 1 && BM_SOURCES == 1 && BM_JUMPS == 0;
constexpr bool LONG_BLOCKS = LONG_RUNS && BM_PHASES + BM_TIMED <= 4;
constexpr int DRAWS = BM_INCREMENTS == BM_GAUSSIAN        ? (LONG_BLOCKS ? 16 : 8)
                      : BM_INCREMENTS == BM_NO_INCREMENTS ? 32 / PER_WORD
                      : BM_INCREMENTS == BM_NEAR_GAUSSIAN ? (LONG_BLOCKS ? 8 : 4)
                      : LONG_BLOCKS                       ? 4
                                                          : 2;
// Words of a run.
constexpr int WORDS = BM_INCREMENTS == BM_GAUSSIAN        ? (LONG_RUNS ? 4 : 2)
                      : BM_INCREMENTS == BM_NEAR_GAUSSIAN ? (BM_QUIET_STEPS && BM_SOURCES == 1 ? 4 : 2)
                      : BM_INCREMENTS == BM_FIVE_POINT    ? (LONG_RUNS ? 2 : 1)
                                                          : 1;
constexpr int BLOCK = DRAWS * 4 * PER_WORD, RUN = WORDS * PER_WORD;
// Steps that a warp without events makes at a time.
constexpr int QUIET = PER_WORD == 2 || BM_INCREMENTS == BM_NO_INCREMENTS ? 4 : PER_WORD > 5 ? PER_WORD / 2 : 5;
// Steps before which is asked what may happen in them.
constexpr int ASKED = BM_QUIET_STEPS ? QUIET : RUN;
constexpr int NUMBERS = WORDS * SOURCES;  // words for a run

}  // namespace bmsim_kernel
