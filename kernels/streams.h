// The one registry of random streams: the second word of every Philox counter (draw, stream, trajectory).
#pragma once
#include "integers.h"
#include "words.h"

namespace bmsim_kernel {

// Gaussian increments of all noises together. The 2^32 draws of one stream are not enough; the upper half of the stream
// number continues the count.
BM_FN uint32_t stream_increments(uint64_t draw) { return (uint32_t)(draw >> 32) << 16; }
// Initial positions and velocities of variable i: a uniform number (draw 3 i) and a normal one (draws 3 i + 1 and
// 3 i + 2); phases of drives, one per draw; numbers of paths that wait for levels (bridge.h): of walls
// at which they end, and of first_passage.
constexpr uint32_t STREAM_POSITION = 1, STREAM_VELOCITY = 2, STREAM_PHASE = 3, STREAM_LEVEL = 4;
constexpr uint32_t DRAW_EXIT = 0, DRAW_PASSAGE = 1;
// Component k of the model (potential 0, then noises, then drives) has two more:
BM_FN constexpr uint32_t stream_events(uint32_t k) { return 16 + 2 * k; }  // amplitudes and waiting times, alternating
// Stationary state at t = 0; of an event of the script the numbers that it sets variables by.
BM_FN constexpr uint32_t stream_start(uint32_t k) { return 17 + 2 * k; }
// Of an event at zeros the numbers of noises within the step that it divides, continued for further noises.
BM_FN constexpr uint32_t stream_bridge(uint32_t k, uint32_t pair) { return stream_events(k) + ((pair + 1) << 16); }
// A noise without events that needs numbers at every step uses the stream of events, continued as for increments.
BM_FN uint32_t stream_steps(uint32_t k, uint64_t draw) { return stream_events(k) + stream_increments(draw); }

}  // namespace bmsim_kernel
