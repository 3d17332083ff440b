// The Lua interpreter that runs scripts: the bmsim library on its path, errors as messages with an exit status, Ctrl-C.
#pragma once
#include <filesystem>
#include <lua.hpp>
#include <memory>
#include <string>

#include "failure.h"
#include "options.h"
#include "progress.h"

namespace bmsim::app {

/// Leaves the chunk on top of the stack to the interpreter: a compiled loop would not look at Ctrl-C. What scripts
/// compute is small; a script that thinks otherwise says jit.on(true, true).
void keep_interruptible(lua_State* lua);

class LuaHost {
 public:
  /// library: the directory that holds bmsim/init.lua. Throws Failure.
  /// The session and the progress line live longer.
  LuaHost(const Options& options, const Session& session, ProgressLine& progress, const std::filesystem::path& library);
  ~LuaHost();
  LuaHost(const LuaHost&) = delete;
  LuaHost& operator=(const LuaHost&) = delete;

  /// Runs a file ("-": standard input) with the arguments of the command line. Throws Failure.
  void run_script(const std::string& file);

  /// For a prompt: `bm` is a global, and globals may be made. Throws Failure.
  void prepare_prompt();
  /// Calls the function below its `arguments` on the stack; all its results stay there. Throws Failure with the message
  /// and the status of the error, with the stack as it was below the function.
  void call(int arguments);
  /// Forgets a Ctrl-C that found nothing to interrupt.
  void reset_interrupt();

  lua_State* state() const { return lua_.get(); }

 private:
  void close_globals(bool assignable);
  void require(const char* module);

  struct Close {
    void operator()(lua_State* lua) const { lua_close(lua); }
  };
  std::unique_ptr<lua_State, Close> lua_;
  bm_session* session_;
  ProgressLine& progress_;
  bool traceback_;
};

}  // namespace bmsim::app
