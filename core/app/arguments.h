// bm.args: what --params files and -D options say, as a Lua table.
#pragma once
#include <lua.hpp>
#include <string>
#include <vector>

namespace bmsim::app {

/// Pushes a table: maps become tables, lists arrays, numbers and true/false values of their kind, the rest strings. A
/// dot in a key of -D goes down into a map. Throws Failure naming the file and line of bad YAML.
void push_arguments(lua_State* lua, const std::vector<std::string>& params, const std::vector<std::string>& defines);

}  // namespace bmsim::app
