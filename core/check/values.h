// What derive, time_scale and the parametrisations do.
#pragma once
#include <span>
#include <vector>

#include "check/check.h"
#include "check/settings.h"

namespace bmsim::checks {

/// derive called again gives what it gave.
Finding check_repeated(const Plugin& plugin, std::span<const Setting> settings);
/// Values that one parametrisation gives reproduce themselves through the others.
Finding check_round_trip(const Plugin& plugin, std::span<const Setting> settings);
/// > 0; of a drive finite.
Finding check_time_scale(const Plugin& plugin, std::span<const Setting> settings);

}  // namespace bmsim::checks
