// A potential plugin of several variables, on some variables of a system.
#pragma once
#include <vector>

#include "plugin/plugin.h"

namespace bmsim {

/// variables: their indices, in the plugin's order. There is one such plugin for each potential and choice of
/// variables; it lives until the process ends (Registry::adopt).
const Plugin& joint_potential(const Plugin& plugin, const std::vector<size_t>& variables);

}  // namespace bmsim
