// bmsim plugin list and plugin describe NAME print descriptors; plugin check NAME looks for mistakes in a plugin.
#pragma once
#include <string>

#include "failure.h"
#include "options.h"
#include "paths.h"

namespace bmsim::app {

/// files: prints only the library of each plugin; those that are built in have none.
void list_plugins(bool files);
/// Throws Failure if there is no such plugin.
void describe_plugin(const std::string& name, bool markdown);
/// Loads plugins and checks one in a process of its own, and prints a line for each check. Throws Failure if there is
/// no such plugin, if a check finds a problem, and if the plugin crashes.
void check_plugin(const Session& session, const Options& options, const Install& install);

}  // namespace bmsim::app
