// The functions of the Lua library, in dry runs, with arguments of any type: each returns, or raises a message of its
// own that names the script's line. What is called is chosen by lua_api.lua.
#include <lua.hpp>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <memory>

#include "bmsim/bmsim.h"
#include "fuzz.h"

namespace bmsim::fuzz {
namespace {

struct Close {
  void operator()(lua_State* lua) const { lua_close(lua); }
};

std::string read_file(const char* file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

bm_session* session() {
  static bm_session* const made = [] {
    if (bm_plugin_load_directory(BMSIM_PLUGIN_BUILD_DIR) != BM_OK) finding(bm_error());
    std::filesystem::current_path(directory());
    return bm_session_new();
  }();
  return made;
}

/// What the program gives to the library: core/app/lua_host.cc.
void push_host(lua_State* lua) {
  lua_newtable(lua);
  lua_pushlightuserdata(lua, session());
  lua_setfield(lua, -2, "session");
  lua_pushboolean(lua, 1);
  lua_setfield(lua, -2, "dry_run");
  lua_pushcfunction(lua, [](lua_State*) { return 0; });
  lua_setfield(lua, -2, "check_interrupt");
  lua_pushliteral(lua, "script");
  lua_setfield(lua, -2, "script");
  for (const char* name : {"args", "defined"}) {
    lua_newtable(lua);
    lua_setfield(lua, -2, name);
  }
}

/// A state whose stack holds the function of lua_api.lua.
class Library {
 public:
  Library() : lua_(luaL_newstate()) {
    lua_State* lua = lua_.get();
    luaL_openlibs(lua);
    luaJIT_setmode(lua, 0, LUAJIT_MODE_ENGINE | LUAJIT_MODE_OFF);
    lua_getglobal(lua, "io");
    lua_pushcfunction(lua, [](lua_State*) { return 0; });
    lua_setfield(lua, -2, "write");  // of plans
    lua_getglobal(lua, "package");
    lua_pushliteral(lua, BMSIM_LUA "/?.lua;" BMSIM_LUA "/?/init.lua");
    lua_setfield(lua, -2, "path");
    lua_getfield(lua, -1, "loaded");
    push_host(lua);
    lua_setfield(lua, -2, "bmsim.host");
    lua_settop(lua, 0);
    static const std::string text = read_file(BMSIM_LUA_API);
    if (luaL_loadbuffer(lua, text.data(), text.size(), "@script") != 0 || lua_pcall(lua, 0, 1, 0) != 0)
      finding(lua_tostring(lua, -1));
  }
  /// What is wrong; "" for nothing.
  std::string call(std::string_view bytes) {
    lua_State* lua = lua_.get();
    lua_pushvalue(lua, 1);
    lua_pushlstring(lua, bytes.data(), bytes.size());
    if (lua_pcall(lua, 1, 1, 0) != 0) finding(lua_tostring(lua, -1));
    const std::string wrong = lua_isstring(lua, -1) != 0 ? lua_tostring(lua, -1) : "";
    lua_settop(lua, 1);
    lua_gc(lua, LUA_GCCOLLECT, 0);
    return wrong;
  }

 private:
  std::unique_ptr<lua_State, Close> lua_;
};

}  // namespace

void lua_api(std::string_view input) {
  static Library library;
  if (const std::string wrong = library.call(input); !wrong.empty()) finding(wrong);
}

}  // namespace bmsim::fuzz
