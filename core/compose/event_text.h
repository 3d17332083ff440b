// The generated part of a kernel for events of the script: rates of events, and what events set.
#pragma once
#include <string>
#include <vector>

#include "compose/components.h"

namespace bmsim {

/// Events that trajectories count down to: at constant rates, or after fixed intervals.
std::vector<Numbered> timed_events(const Model& model);
/// Events at rates that depend on the state or on time (kernels/hazards.h).
std::vector<Numbered> hazards(const Model& model);
/// Events at zeros of a formula (kernels/crossings.h).
std::vector<Numbered> crossings(const Model& model);
/// A type for every event, and the functions event_rates, each_hazard, crossing_values and each_crossing.
std::string events_text(const Model& model, const ModelValues& values);
/// Name of the type of an event.
std::string event_type(const Numbered& event);

}  // namespace bmsim
