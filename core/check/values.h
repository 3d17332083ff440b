// Checks of derive, time_scale and the parametrisations.
#pragma once
#include <span>
#include <vector>

#include "check/check.h"
#include "check/settings.h"

namespace bmsim::checks {

/// Checks that derive gives the same values when it is called again.
Finding check_repeated(const Plugin& plugin, std::span<const Setting> settings);
/// Checks that values made by one parametrisation are reproduced through the others.
Finding check_round_trip(const Plugin& plugin, std::span<const Setting> settings);
/// Checks that the time scale is > 0, and for a drive finite.
Finding check_time_scale(const Plugin& plugin, std::span<const Setting> settings);

}  // namespace bmsim::checks
