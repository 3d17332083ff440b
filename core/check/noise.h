// What a noise does in a run, held to what it declares.
#pragma once
#include <functional>
#include <span>

#include "check/check.h"
#include "check/settings.h"

namespace bmsim::checks {

/// The mean force and the growth of the variance of a free particle that the noise drives.
void check_law(const Plugin& plugin, std::span<const Setting> settings, const CheckOptions& check,
               const std::function<void(const Finding&)>& tell);
/// Nothing is read from the states before it is set: runs whose states begin elsewhere are the same.
Finding check_states(const Plugin& plugin, const Setting& setting, const CheckOptions& check);

/// Functions of events work for groups of trajectories, which method exact calls them for.
Finding check_groups(const Plugin& plugin, std::span<const Setting> settings, const CheckOptions& check);

}  // namespace bmsim::checks
