// bmsim plugin new KIND NAME: a folder with a working plugin, its build file and its test.
#pragma once
#include <string>

namespace bmsim::app {

/// Writes DIRECTORY/NAME/ and prints how to build it; directory "" is the current one. several: a potential of several
/// variables. Throws Failure for an unknown kind, for a name that is not an identifier, and if NAME exists.
void new_plugin(const std::string& kind, bool several, const std::string& name, const std::string& directory);

}  // namespace bmsim::app
