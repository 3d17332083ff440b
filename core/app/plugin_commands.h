// bmsim plugin list and plugin describe NAME print descriptors; plugin check NAME looks for mistakes in a plugin.
#pragma once
#include <string>

#include "failure.h"

namespace bmsim::app {

void list_plugins();
/// Throws Failure if there is no such plugin.
void describe_plugin(const std::string& name, bool markdown);
/// Prints a line for each check. Throws Failure if there is no such plugin, or if a check finds a problem.
void check_plugin(const Session& session, const std::string& name);

}  // namespace bmsim::app
