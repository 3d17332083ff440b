// Progress of the run under way: part done, speed, time left.
#include "progress.h"

#include <bmsim/bmsim.h>
#include <fmt/format.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>

namespace bmsim::app {
namespace {

using Clock = std::chrono::steady_clock;

// The C API's callback carries no user data, so its state is here.
struct State {
  bool terminal = false;
  bool line_shown = false;
  Clock::time_point last{};
} state;

std::string duration(double seconds) {
  if (!(seconds >= 0)) return "?";
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  if (seconds < 5400) return fmt::format("{:.0f} min", seconds / 60);
  return fmt::format("{:.1f} h", seconds / 3600);
}

void report(double fraction, double steps_per_second, double seconds_left) {
  const auto now = Clock::now();
  const auto pause = state.terminal ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
  const bool done = fraction >= 1;
  if (done && state.terminal) return clear_progress();
  if (!done && now - state.last < pause) return;
  state.last = now;
  const auto text =
      fmt::format("{:3.0f} %  {:.3g} steps/s  {} left", 100 * fraction, steps_per_second, duration(seconds_left));
  if (state.terminal) {
    fmt::print(stderr, "\r{}\033[K", text);
    state.line_shown = true;
  } else {
    fmt::print(stderr, "{}\n", text);
  }
  std::fflush(stderr);
}

}  // namespace

void show_progress(bool always) {
  state.terminal = isatty(STDERR_FILENO) != 0;
  if (!state.terminal && !always) return;
  // The first report comes after a pause too, so that short runs stay silent.
  state.last = Clock::now();
  bm_set_progress(report);
}

void clear_progress() {
  if (state.line_shown) fmt::print(stderr, "\r\033[K");
  state.line_shown = false;
}

}  // namespace bmsim::app
