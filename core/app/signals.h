// Signals that end the program, and what the process needs before anything else.
#pragma once
#include <lua.hpp>

#include "failure.h"

namespace bmsim::app {

/// To be called first. Standard streams that are closed become ones that cannot be used, so that no file of the program
/// gets their numbers; a file that grows beyond its limit is an error of writing; netCDF reads no settings.
void prepare_process();

/// While it lives, Ctrl-C, SIGTERM and SIGHUP end the session's work within a second, or else Lua code at its next
/// instruction, by `stop`; the same signal once more kills. There is one at a time.
class Signals {
 public:
  /// lua: null without a script. keeps_unfinished: a script with --checkpoint, which hears SIGUSR1, too.
  Signals(const Session& session, lua_State* lua, lua_CFunction stop, bool keeps_unfinished);
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;
  /// Forgets what was heard.
  void reset();

 private:
  void install();
};

/// The first signal that was heard, 0 if there was none.
int heard_signal();
/// Whether it was SIGTERM or SIGHUP, which end a prompt, too.
bool must_end();
/// Makes the program end by SIGTERM or SIGHUP if it has heard one, after it has cleared up.
void end_by_signal();

}  // namespace bmsim::app
