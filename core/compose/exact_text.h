// Functions that method exact (kernels/exact_clock.h) calls: those of noises, for all trajectories of a group together.
#pragma once
#include <string>
#include <vector>

#include "compose/components.h"

namespace bmsim {

/// Members of the type of a noise whose first state is number `first_state`: waiting_all, and event_all, which makes an
/// event of the trajectories of a mask.
std::string exact_events_text(const Numbered& noise, size_t first_state);
/// exact_drift: constant force plus drifts of the noises, in periods per step.
std::string exact_drift_text(const std::vector<Numbered>& noises);
/// walk_state: the number of the joint state of all noises with events (walk_tables.h). states: how many each has.
std::string walk_state_text(const std::vector<Numbered>& noises, const std::vector<size_t>& states);

}  // namespace bmsim
