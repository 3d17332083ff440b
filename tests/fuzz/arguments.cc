// Parameter files and -D values: bm.args is made of any of them, or they are refused in words.
#include "app/yaml.h"

#include <charconv>
#include <cmath>

#include "app/failure.h"
#include "fuzz.h"

namespace bmsim::fuzz {
namespace {

struct Close {
  void operator()(lua_State* lua) const { lua_close(lua); }
};
using Lua = std::unique_ptr<lua_State, Close>;

/// Counts what a table holds: what was made can be read.
size_t size_of(lua_State* lua, int depth) {
  luaL_checkstack(lua, 4, "fuzz");
  size_t count = 1;
  if (!lua_istable(lua, -1)) return count;
  if (depth > 10000) finding("tables within tables without an end");
  for (lua_pushnil(lua); lua_next(lua, -2) != 0; lua_pop(lua, 1)) count += size_of(lua, depth + 1);
  return count;
}

void make(const std::vector<std::string>& files, const std::vector<std::string>& defines, std::string_view input) {
  const Lua lua(luaL_newstate());
  try {
    app::push_arguments(lua.get(), files, defines);
    if (!lua_istable(lua.get(), -1)) finding("bm.args is no table");
    if (size_of(lua.get(), 0) > 2'000'000) finding("bm.args is much larger than what it was made of");
  } catch (const app::Failure& failure) {
    check_message(failure.what(), input);
  }
}

/// A value that is a number as a whole is a number, true and false are truth values, all else is a text.
void check_value(const std::string& text) {
  const Lua lua(luaL_newstate());
  app::push_arguments(lua.get(), {}, {"key=" + text});
  lua_getfield(lua.get(), -1, "key");
  const int type = lua_type(lua.get(), -1);
  if (type == LUA_TSTRING) {
    size_t length = 0;
    const char* got = lua_tolstring(lua.get(), -1, &length);
    if (std::string_view(got, length) != text) finding("a value is not what was given: " + text);
    return;
  }
  char* end = nullptr;
  const double number = std::strtod(text.c_str(), &end);
  if (type == LUA_TBOOLEAN ? text != "true" && text != "false" : *end != '\0' || number != lua_tonumber(lua.get(), -1))
    finding("a value is read as another: " + text);
}

}  // namespace

void parameters(std::string_view input) {
  const std::string file = directory() + "/parameters.yaml";
  write_file(file, input);
  make({file}, {}, input);
  make({file, file}, {"a.b=1"}, input);
}

void defines(std::string_view input) {
  std::vector<std::string> all;
  while (!input.empty()) {
    const std::string one(input.substr(0, input.find('\n')));
    input.remove_prefix(std::min(input.size(), one.size() + 1));
    const size_t equals = one.find('=');
    if (one.find('\0') != one.npos || equals == one.npos) continue;  // a command line has none
    check_value(one.substr(equals + 1));
    const std::string key = "." + one.substr(0, equals) + ".";
    if (key.find("..") == key.npos) all.push_back(one);
  }
  make({}, all, input);
}

}  // namespace bmsim::fuzz
