// The one registry of random streams: the second word of every Philox counter (draw, stream, trajectory).
#pragma once
constexpr uint32_t STREAM_INCREMENTS = 0;  // Gaussian increments, all noises together
constexpr uint32_t STREAM_POSITION = 1;    // initial positions
// Component number k of the model (potential 0, then noises, then drives) has two more:
constexpr uint32_t stream_events(uint32_t k) { return 16 + 2 * k; }  // waiting times and amplitudes, in turn
constexpr uint32_t stream_start(uint32_t k) { return 17 + 2 * k; }   // stationary state at t = 0
