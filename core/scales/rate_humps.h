// Humps and dips of the rates of events, which paths may cross within a step.
#pragma once
#include "scales/short_events.h"

namespace bmsim::short_paths {

/// Shortest times, see SystemScales::over_rate and resolving; INFINITY without humps and dips.
struct RateHumps {
  double over_rate = infinity, resolving = infinity;
};
/// Humps and dips near the notable states of events. fastest_rates: largest rate of change so far, by coordinate.
RateHumps rate_humps(const ModelValues& values, const Motion& motion, const ShortEvents& events,
                     const State& fastest_rates);

}  // namespace bmsim::short_paths
