// A potential plugin of several variables, on some variables of a system.
#pragma once
#include <vector>

#include "plugin/plugin.h"

namespace bmsim {

/// of: the indices of the variables, in the plugin's order. Lives until the process ends, one for each plugin and
/// choice of variables (Registry::adopt).
const Plugin& joint_potential(const Plugin& plugin, const std::vector<size_t>& of);

}  // namespace bmsim
