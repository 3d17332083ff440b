// bmsim plugin new KIND NAME: a folder with a plugin that works, how it is built, and its test.
#pragma once
#include <string>

namespace bmsim::app {

/// Writes DIRECTORY/NAME/ and says what to do with it; directory "" is the current one. Throws Failure for an unknown
/// kind, a name that is no identifier, and where NAME is there already.
void new_plugin(const std::string& kind, const std::string& name, const std::string& directory);

}  // namespace bmsim::app
