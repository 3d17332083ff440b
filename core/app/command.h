// Commands that a script lets the shell run, and waits for.
#pragma once
#include <string>

namespace bmsim::app {

struct Ran {
  int status = 0;    ///< 128 and more after a signal
  std::string said;  ///< what it has printed, stderr as well
};
/// Runs a command of the shell without input. If a signal is heard, the command is ended with all that it has started.
/// Throws Failure if it cannot be started.
Ran run_command(const std::string& command);

}  // namespace bmsim::app
