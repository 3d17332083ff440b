// Numbers of the integrators (integrators.h, inertial.h, exact_clock.h, walk_clock.h, adaptive_clock.h) and of the laws
// of increments (increment_laws.h).
#pragma once
#include "group.h"

#define BM_HEUN 1
#define BM_PLATEN 2
#define BM_EULER 3
#define BM_PAPER 4
#define BM_ABOBA 5
#define BM_EXACT 6
#define BM_ADAPTIVE 7
#define BM_WALK 8  // exact, with white noise

#define BM_NO_INCREMENTS 0
#define BM_FIVE_POINT 1
#define BM_THREE_POINT 2
#define BM_NEAR_GAUSSIAN 3
#define BM_GAUSSIAN 4

// Whether each trajectory makes steps of its own (own_clocks.h). BM_COMMON_CLOCK: all of a point make the same.
#define BM_OWN_CLOCKS (!BM_COMMON_CLOCK && BM_METHOD != BM_EXACT && BM_METHOD != BM_ADAPTIVE && BM_METHOD != BM_WALK)
// Whether runs with nothing but events have steps that test for nothing else; and whether runs with one mark have steps
// of their own.
#define BM_PLAIN_RUNS (BM_OWN_CLOCKS && BM_OWN_STEPS && BM_EVENT_NOISES == 1 && !BM_COARSE)
#define BM_MARKED_RUNS (BM_PLAIN_RUNS && BM_MARKS)
// Whether in such runs a few steps are made at a time without a look at events where no thread of a warp has one. What
// else may happen is asked for only before the others.
#define BM_QUIET_STEPS (BM_RARE_EVENTS && BM_PLAIN_RUNS && !BM_CROSSINGS && !BM_HAZARDS)
// Whether the values of the law of increments contain the drift, which is the same in all steps and for all
// trajectories. On a GPU they are in memory, or the sum of a product, so that it costs nothing.
#define BM_DRIFT_IN_LAW                                                                                                \
  (BM_OWN_STEPS && BM_COMMON_CLOCK && BM_METHOD != BM_PAPER && BM_VARIABLES == 1 && BM_SOURCES == 1 && !BM_INERTIAL && \
   !BM_MULTIPLIED && !BM_CROSSINGS && !BM_DRIFT_VARIES && !BM_COARSE &&                                                \
   (BM_INCREMENTS == BM_FIVE_POINT || BM_INCREMENTS == BM_NEAR_GAUSSIAN || BM_INCREMENTS == BM_GAUSSIAN))
