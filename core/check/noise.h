// Checks of a noise: the law it declares, its states, its events in groups.
#pragma once
#include <functional>
#include <span>

#include "check/check.h"
#include "check/settings.h"

namespace bmsim::checks {

/// Checks the mean force on a free particle and the growth of its variance against the declared mean and intensity.
void check_law(const Plugin& plugin, std::span<const Setting> settings, const CheckOptions& check,
               const std::function<void(const Finding&)>& tell);
/// Checks a bm_chain or bm_kicks against the declared mean and intensity, without a run. Tells nothing about other
/// noises.
void check_declared_law(const Plugin& plugin, std::span<const Setting> settings,
                        const std::function<void(const Finding&)>& tell);
/// Checks that no state is read before it is set: runs that begin with other values in the states must give the same.
Finding check_states(const Plugin& plugin, const Setting& setting, const CheckOptions& check);

/// Checks that `waiting` and `event` work for groups of trajectories, for which method exact calls them.
Finding check_groups(const Plugin& plugin, std::span<const Setting> settings, const CheckOptions& check);

}  // namespace bmsim::checks
