// The Lua interpreter that runs scripts: the bmsim library on its path, errors as messages with an exit status, Ctrl-C.
#pragma once
#include <filesystem>
#include <lua.hpp>
#include <memory>
#include <optional>
#include <string>

#include "failure.h"
#include "options.h"
#include "progress.h"
#include "signals.h"

namespace bmsim::app {

/// Keeps the chunk on top of the stack from being compiled, since compiled loops do not notice Ctrl-C. Scripts compute
/// little; one that computes a lot may call jit.on(true, true).
void keep_interruptible(lua_State* lua);

/// Raises the error that ends an interrupted script.
int stop_interrupted(lua_State* lua);

class LuaHost {
 public:
  /// library: the directory that holds bmsim/init.lua. Session and progress line must outlive the host. Throws Failure.
  LuaHost(const Options& options, const Session& session, ProgressLine& progress, const std::filesystem::path& library);
  LuaHost(const LuaHost&) = delete;
  LuaHost& operator=(const LuaHost&) = delete;

  /// Runs a file ("-": standard input) with the arguments of the command line. Throws Failure. False if the script has
  /// come to its end, but could not show or write a result, as it said then.
  bool run_script(const std::string& file);
  /// Runs the text of a script. name: "@FILE", or "=NAME" for a text that is in no file.
  bool run_text(const std::string& name, const std::string& text);

  /// Prepares the state for the prompt, and leaves the table of bmsim/prompt.lua on the stack. Throws Failure.
  void prepare_prompt();
  /// Calls the function below its `arguments` on the stack and leaves all its results there. On an error it removes the
  /// function and its arguments and throws Failure with the message and status of the error.
  void call(int arguments);
  /// Forgets a Ctrl-C that came while nothing was running.
  void reset_interrupt();

  lua_State* state() const { return lua_.get(); }

 private:
  void close_globals(bool assignable);
  void require(const char* module);
  /// Saves the results of a script that has failed. Returns where they are, "" if there are none.
  std::string rescue();

  struct Close {
    void operator()(lua_State* lua) const { lua_close(lua); }
  };
  std::unique_ptr<lua_State, Close> lua_;
  std::optional<Signals> signals_;  // destroyed before the state that they stop
  bm_session* session_;
  ProgressLine& progress_;
  bool traceback_;
  bool rescues_ = false;  // saves results of a script that has failed
};

// ---- command.cc: commands that a script lets the shell run ----

struct Ran {
  int status = 0;    ///< 128 and more after a signal
  std::string said;  ///< what it has printed, stderr as well
};
/// Runs a command of the shell without input. A signal ends it with all that it has started. Throws Failure.
Ran run_command(const std::string& command);

}  // namespace bmsim::app
