// What method exact (kernels/exact_clock.h) calls: the functions of noises for all trajectories of a group together.
#pragma once
#include <string>
#include <vector>

#include "compose/components.h"

namespace bmsim {

/// Members of a noise's type whose states begin with number `first_state`: waiting_all, and event_all, which happens to
/// the trajectories of a mask.
std::string exact_events_text(const Numbered& noise, size_t first_state);
/// exact_drift: force and drifts of the noises, in periods per step.
std::string exact_drift_text(const std::vector<Numbered>& noises);

}  // namespace bmsim
