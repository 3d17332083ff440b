// The one registry of random streams: the second word of every Philox counter (draw, stream, trajectory).
#pragma once
#include "integers.h"
#include "words.h"

namespace bmsim_kernel {

// Gaussian increments, all noises together: the 2^32 draws of one stream are not enough, so that the upper half counts
// on.
BM_FN uint32_t stream_increments(uint64_t draw) { return (uint32_t)(draw >> 32) << 16; }
// Initial conditions: a uniform number and a normal one (draw 1) of position and velocity; phases of drives, one a
// draw.
constexpr uint32_t STREAM_POSITION = 1, STREAM_VELOCITY = 2, STREAM_PHASE = 3;
// Component number k of the model (potential 0, then noises, then drives) has two more:
BM_FN constexpr uint32_t stream_events(uint32_t k) { return 16 + 2 * k; }  // waiting times and amplitudes, in turn
BM_FN constexpr uint32_t stream_start(uint32_t k) { return 17 + 2 * k; }   // stationary state at t = 0
// A noise without events that needs numbers at every step has those of events, counted on as increments are.
BM_FN uint32_t stream_steps(uint32_t k, uint64_t draw) { return stream_events(k) + stream_increments(draw); }

}  // namespace bmsim_kernel
