// bmsim plugin list, plugin describe NAME: the documentation in the descriptors; plugin check: what is wrong with one.
#pragma once
#include <string>

#include "failure.h"

namespace bmsim::app {

void list_plugins();
/// Throws Failure if there is no such plugin.
void describe_plugin(const std::string& name, bool markdown);
/// Prints a line for each check. Throws Failure if there is no such plugin, or one of them finds a problem.
void check_plugin(const Session& session, const std::string& name);

}  // namespace bmsim::app
