// Shared memory of a warp, in this order: rings of exponentials, outside influences in every step of a block, values of
// a law of increments, what is seldom read (entry.h), sums for mean fields (exchange.h).
#pragma once
#include "increment_laws.h"
#include "state.h"

namespace bmsim_kernel {

// Exponentials per noise and thread: if steps are plain, two for every step before which is asked what may happen, and
// room for drawing four more.
constexpr int RING_LENGTH = BM_PLAIN_RUNS && RUN > 4 ? 32 : BM_EVENT_NOISES == 1 ? 16 : 8;
static_assert(!BM_PLAIN_RUNS || RING_LENGTH >= 2 * ASKED + 4);
constexpr int RING_REALS = BM_COUNTDOWNS ? BM_EVENT_NOISES * RING_LENGTH * 32 : 0;
constexpr int OUTSIDE_MEMBERS = sizeof(Outside<real>) / sizeof(real);
constexpr bool SHARED_OUTSIDE = BM_PHASES > 0 && !BM_RANDOM_PHASES && BM_COMMON_CLOCK;
// Each of these is a row: its values at all iterations of a block and at its end. Runs of steps begin at a multiple of
// four numbers, since so many are loaded at once. Where a run is a multiple of four, its end is the beginning of the
// next; else both have places of their own.
constexpr int OUTSIDE_RUN = RUN % 4 == 0 ? BLOCK : RUN, OUTSIDE_STRIDE = (OUTSIDE_RUN / 4 + 1) * 4;
constexpr int OUTSIDE_ROW = BLOCK / OUTSIDE_RUN * OUTSIDE_STRIDE;
constexpr int OUTSIDE_PLACES = OUTSIDE_RUN == BLOCK ? BLOCK + 1 : OUTSIDE_ROW;  // that are set
constexpr int OUTSIDE_REALS = SHARED_OUTSIDE ? OUTSIDE_MEMBERS * OUTSIDE_ROW : 0;
constexpr int LAW_VALUES = BM_INCREMENTS == BM_FIVE_POINT ? 8 : BM_INCREMENTS == BM_NEAR_GAUSSIAN ? 64 : 0;
constexpr int LAW_STEP = LAW_VALUES > 8 ? LAW_VALUES : 8;  // so that addresses in it are joined by |
constexpr int LAW_AT = (RING_REALS + OUTSIDE_REALS + LAW_STEP - 1) / LAW_STEP * LAW_STEP;
constexpr int SELDOM_AT = LAW_AT + LAW_VALUES * SOURCES;
constexpr int LEVEL_PAIRS = 3;  // see levels.h
constexpr int SELDOM_REALS = 8 * (8 + 2 * LEVEL_PAIRS) / sizeof(real);
constexpr int FIELD_AT = SELDOM_AT + SELDOM_REALS;
constexpr int FIELD_REALS = 3 * AVERAGED;  // sums of a warp, twice, and averages
constexpr int WARP_REALS = (FIELD_AT + FIELD_REALS + 63) / 64 * 64;

alignas(16) extern __shared__ double bm_shared[];
BM_FN real* warp_shared() { return (real*)bm_shared + threadIdx.x / 32 * WARP_REALS; }

}  // namespace bmsim_kernel
