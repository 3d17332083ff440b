// Humps and dips of the rates of events, over which paths may pass within a step.
#pragma once
#include "scales/short_events.h"

namespace bmsim::short_paths {

/// Shortest times: see SystemScales::over_rate and resolving; INFINITY where there is none.
struct RateHumps {
  double over_rate = std::numeric_limits<double>::infinity(), resolving = over_rate;
};
/// Near the states at which a path has looked closely at its rates. fastest_rates: largest rates of change so far, by
/// number of the state.
RateHumps rate_humps(const ModelValues& values, const Motion& motion, const ShortEvents& events,
                     const State& fastest_rates);

}  // namespace bmsim::short_paths
