// The LuaJIT host. Everything runs under a protected call; an error is a string, or a table {message, status}.
#include "lua_host.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "yaml.h"

namespace bmsim::app {
namespace {

int raise(lua_State* lua, const char* message, bm_status status) {
  lua_createtable(lua, 0, 2);
  lua_pushstring(lua, message);
  lua_setfield(lua, -2, "message");
  lua_pushinteger(lua, status);
  lua_setfield(lua, -2, "status");
  return lua_error(lua);
}
// --checkpoint keeps unfinished work.
int stop_unfinished(lua_State* lua) {
  return raise(lua, "interrupted; the same command goes on from what --checkpoint has kept", BM_UNFINISHED);
}
lua_CFunction stop_of(const Options& options) {
  return options.checkpoint.empty() ? stop_interrupted : stop_unfinished;
}

// bmsim.host.check_interrupt(): ends the script before its next run if a signal was heard. Upvalue 1: how it ends.
int check_interrupt(lua_State* lua) { return heard_signal() != 0 ? lua_tocfunction(lua, lua_upvalueindex(1))(lua) : 0; }

// Adds to the message on top what the arguments of the script may have to do with it (args.lua).
void explain(lua_State* lua) {
  const int top = lua_gettop(lua);
  lua_getfield(lua, LUA_REGISTRYINDEX, "_LOADED");
  lua_getfield(lua, -1, "bmsim.args");
  if (lua_istable(lua, -1)) {
    lua_getfield(lua, -1, "explain");
    lua_pushvalue(lua, top);
    if (lua_pcall(lua, 1, 1, 0) == 0 && lua_isstring(lua, -1) != 0) lua_replace(lua, top);
  }
  lua_settop(lua, top);
}

// bmsim.host.run(command): runs a command in the shell. Returns its status, and what it has printed. A signal ends the
// command, and then the script, at its next instruction.
int run(lua_State* lua) {
  try {
    const Ran ran = run_command(luaL_checkstring(lua, 1));
    lua_pushinteger(lua, ran.status);
    lua_pushlstring(lua, ran.said.data(), ran.said.size());
  } catch (const Failure& failure) {
    lua_pushinteger(lua, -1);
    lua_pushstring(lua, failure.what());
  }
  return 2;
}

// Turns any error into a table {message, status}. Upvalue 1: whether to add a traceback. The garbage collector stops,
// so that what only the script's own variables refer to stays until the next call, or until it is rescued.
int handle_message(lua_State* lua) {
  lua_gc(lua, LUA_GCSTOP, 0);
  lua_settop(lua, 1);
  int status = BM_ERROR;
  if (lua_istable(lua, 1)) {
    lua_pushliteral(lua, "status");
    lua_rawget(lua, 1);
    if (lua_isnumber(lua, -1)) status = static_cast<int>(lua_tointeger(lua, -1));
    lua_pushliteral(lua, "message");
    lua_rawget(lua, 1);
  }
  if (lua_isstring(lua, -1) == 0 && luaL_callmeta(lua, 1, "__tostring") == 0) {
    lua_pushfstring(lua, "(error object is a %s value)", luaL_typename(lua, 1));
  }
  if (lua_isstring(lua, -1) != 0) explain(lua);
  if (lua_toboolean(lua, lua_upvalueindex(1)) != 0) luaL_traceback(lua, lua, lua_tostring(lua, -1), 1);
  lua_createtable(lua, 0, 2);
  lua_insert(lua, -2);
  lua_setfield(lua, -2, "message");
  lua_pushinteger(lua, status);
  lua_setfield(lua, -2, "status");
  return 1;
}

Failure failure_on_top(lua_State* lua) {
  // Errors in the handler itself and out-of-memory errors are plain strings.
  if (!lua_istable(lua, -1)) {
    const std::string text = lua_isstring(lua, -1) != 0 ? lua_tostring(lua, -1) : "unknown error";
    if (text != "not enough memory") return Failure(text);
    return Failure("out of memory for the script's tables; read fewer columns and arrays at a time, or write them");
  }
  lua_getfield(lua, -1, "message");
  lua_getfield(lua, -2, "status");
  return Failure(lua_isstring(lua, -2) != 0 ? lua_tostring(lua, -2) : "unknown error",
                 static_cast<int>(lua_tointeger(lua, -1)));
}

std::string read_all(std::FILE* file) {
  std::string text;
  char buffer[4096];
  for (size_t n = 0; (n = std::fread(buffer, 1, sizeof buffer, file)) > 0;) text.append(buffer, n);
  return text;
}

// package.loaded["bmsim.host"]: what the program provides to the Lua library.
void push_host_module(lua_State* lua, const Options& options, bm_session* session) {
  lua_newtable(lua);
  lua_pushlightuserdata(lua, session);
  lua_setfield(lua, -2, "session");
  const auto set_flag = [lua](const char* name, bool flag) {
    lua_pushboolean(lua, flag ? 1 : 0);
    lua_setfield(lua, -2, name);
  };
  set_flag("dry_run", options.dry_run);
  set_flag("verbose", options.verbose);
  set_flag("strict", options.strict);
  set_flag("goes_on", options.command == Options::Command::run && !options.script.empty());
  set_flag("traceback", options.traceback);
  lua_pushcfunction(lua, stop_of(options));
  lua_pushcclosure(lua, check_interrupt, 1);
  lua_setfield(lua, -2, "check_interrupt");
  lua_pushcfunction(lua, run);
  lua_setfield(lua, -2, "run");
  if (!options.script.empty()) {
    lua_pushstring(lua, options.script == "-" ? "stdin" : options.script.c_str());
    lua_setfield(lua, -2, "script");
  }
  push_arguments(lua, options.params, options.defines);
  lua_setfield(lua, -2, "args");
  lua_newtable(lua);
  for (const auto& define : options.defines) set_flag(define.substr(0, define.find('=')).c_str(), true);
  lua_setfield(lua, -2, "defined");
}

// The global `arg`, as the Lua program sets it.
void set_arg(lua_State* lua, const Options& options) {
  lua_newtable(lua);
  lua_pushstring(lua, options.script.c_str());
  lua_rawseti(lua, -2, 0);
  int index = 0;
  for (const auto& argument : options.arguments) {
    lua_pushstring(lua, argument.c_str());
    lua_rawseti(lua, -2, ++index);
  }
  lua_setglobal(lua, "arg");
}

}  // namespace

int stop_interrupted(lua_State* lua) { return raise(lua, "interrupted", BM_INTERRUPTED); }
void keep_interruptible(lua_State* lua) { luaJIT_setmode(lua, -1, LUAJIT_MODE_ALLFUNC | LUAJIT_MODE_OFF); }

LuaHost::LuaHost(const Options& options, const Session& session, ProgressLine& progress,
                 const std::filesystem::path& library)
    : lua_(luaL_newstate()), session_(session.get()), progress_(progress), traceback_(options.traceback) {
  if (!lua_) throw Failure("bmsim: no memory for Lua");
  lua_State* lua = lua_.get();
  luaL_openlibs(lua);
  lua_getglobal(lua, "package");
  lua_getfield(lua, -1, "path");
  const auto root = library.string();
  const auto path = fmt::format("{0}/?.lua;{0}/?/init.lua;{1}", root, lua_tostring(lua, -1));
  lua_pop(lua, 1);
  lua_pushlstring(lua, path.data(), path.size());
  lua_setfield(lua, -2, "path");
  lua_getfield(lua, -1, "loaded");
  push_host_module(lua, options, session_);
  lua_setfield(lua, -2, "bmsim.host");
  lua_pop(lua, 2);
  set_arg(lua, options);
  if (options.command != Options::Command::explore)
    signals_.emplace(session, lua, stop_of(options), !options.checkpoint.empty());
}

void LuaHost::call(int arguments) {
  lua_State* lua = lua_.get();
  const int base = lua_gettop(lua) - arguments;
  if (!rescues_) lua_gc(lua, LUA_GCRESTART, 0);
  lua_pushboolean(lua, traceback_ ? 1 : 0);
  lua_pushcclosure(lua, handle_message, 1);
  lua_insert(lua, base);
  const int status = lua_pcall(lua, arguments, LUA_MULTRET, base);
  progress_.clear();
  std::fflush(stdout);
  lua_remove(lua, base);
  if (status == 0) return;
  const Failure failure = failure_on_top(lua);
  lua_settop(lua, base - 1);
  throw failure;
}

void LuaHost::require(const char* module) {
  lua_getglobal(lua_.get(), "require");
  lua_pushstring(lua_.get(), module);
  call(1);
}

void LuaHost::close_globals(bool assignable) {
  require("bmsim.strict");
  lua_pushboolean(lua_.get(), assignable ? 1 : 0);
  call(1);
  lua_settop(lua_.get(), 0);
}

bool LuaHost::run_script(const std::string& file) {
  if (file == "-") return run_text("=stdin", read_all(stdin));
  if (std::filesystem::is_directory(file)) throw Failure(fmt::format("bmsim: script '{}' is a directory", file));
  std::FILE* readable = std::fopen(file.c_str(), "r");
  if (readable == nullptr) throw Failure(fmt::format("bmsim: cannot open script '{}': {}", file, std::strerror(errno)));
  const std::string text = read_all(readable);  // once: it may be a pipe
  std::fclose(readable);
  return run_text("@" + file, text);
}

bool LuaHost::run_text(const std::string& name, const std::string& text) {
  lua_State* lua = lua_.get();
  close_globals(false);
  record_script(session_, text);
  const int status = luaL_loadbuffer(lua, text.data(), text.size(), name.c_str());
  if (status != 0) throw failure_on_top(lua);
  keep_interruptible(lua);
  lua_getglobal(lua, "arg");
  const int count = static_cast<int>(lua_objlen(lua, -1));
  luaL_checkstack(lua, count + 1, "arguments");
  for (int i = 1; i <= count; ++i) lua_rawgeti(lua, 2, i);
  lua_remove(lua, 2);
  try {
    call(count);
  } catch (const Failure& failure) {
    const std::string kept = failure.status() == BM_UNFINISHED ? "" : rescue();
    if (kept.empty()) throw;
    throw Failure(failure.what() + ("\n" + kept), failure.status());
  }
  lua_settop(lua, 0);
  require("bmsim.finish");
  call(0);
  if (lua_toboolean(lua, -1) == 0) return true;
  if (const std::string kept = rescue(); !kept.empty()) say(stderr, "{}\n", printable(kept));
  return false;
}

std::string LuaHost::rescue() {
  lua_State* lua = lua_.get();
  if (!signals_) return "";  // not for scripts of the explorer
  lua_sethook(lua, nullptr, 0, 0);
  rescues_ = true;
  try {
    require("bmsim.rescue");
    call(0);
  } catch (const Failure& failure) {
    return failure.what();
  }
  return lua_isstring(lua, -1) != 0 ? lua_tostring(lua, -1) : "";
}

void LuaHost::prepare_prompt() {
  close_globals(true);
  require("bmsim.prompt");
}

void LuaHost::reset_interrupt() {
  lua_sethook(lua_.get(), nullptr, 0, 0);
  signals_->reset();
}

}  // namespace bmsim::app
