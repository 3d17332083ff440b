// bm.args: the values of --params files and -D options, as a Lua table.
#pragma once
#include <lua.hpp>
#include <string>
#include <vector>

namespace bmsim::app {

/// Pushes one table. Maps become tables and lists become arrays; numbers and true/false keep their type, everything
/// else is a string. A dot in a -D key descends into a map. Throws Failure with the file and line of bad YAML.
void push_arguments(lua_State* lua, const std::vector<std::string>& params, const std::vector<std::string>& defines);

}  // namespace bmsim::app
