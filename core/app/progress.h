// Progress on stderr: a bar on one line that is rewritten on a terminal, a line every ten seconds elsewhere, and more
// rarely in a run of hours.
#pragma once
#include <chrono>

#include "failure.h"

namespace bmsim::app {

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
