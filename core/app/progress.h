// Progress on stderr: on a terminal one line with a bar, elsewhere a line every ten seconds, in long runs more rarely.
#pragma once
#include <chrono>

#include "failure.h"

namespace bmsim::app {

/// Characters in a line of the terminal that a stream goes to.
size_t terminal_width(int stream);

/// Lives as long as the session whose runs it shows.
class ProgressLine {
 public:
  /// Makes the session's runs report their progress, if stderr is a terminal or `always`.
  void show(const Session& session, bool always);
  /// Erases an unfinished line, before anything else is printed on the terminal.
  void clear();

 private:
  using Clock = std::chrono::steady_clock;
  void report(const bm_progress& progress);
  bool terminal_ = false, shown_ = false, ended_ = false;
  Clock::time_point last_{}, began_{};  // time of the last line; of the first report of the run
};

}  // namespace bmsim::app
