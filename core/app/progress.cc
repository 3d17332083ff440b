// Progress of the run under way: part done, speed, time left, and the worst relative error where the engine tells it.
#include "progress.h"

#include <bmsim/bmsim.h>
#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
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

size_t columns() {
  winsize size{};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

// "[=====>    ] " in what a line of the terminal has left; nothing where that is too little.
std::string bar(double fraction, size_t taken) {
  constexpr size_t frame = 3, least = 10, most = 40;
  const size_t width = columns(), used = taken + frame + 1;  // the last column stays free: a full line would wrap
  if (width < used + least) return "";
  const size_t room = std::min(width - used, most);
  const auto done = static_cast<size_t>(fraction * static_cast<double>(room));
  std::string cells = std::string(done, '=') + (done < room ? ">" : "");
  cells.resize(room, ' ');
  return "[" + cells + "] ";
}

void report(double fraction, double steps_per_second, double seconds_left, double worst_relative_error) {
  const auto now = Clock::now();
  const auto pause = state.terminal ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
  const bool done = fraction >= 1;
  if (done && state.terminal) return clear_progress();
  if (!done && now - state.last < pause) return;
  state.last = now;
  auto text =
      fmt::format("{:3.0f} %  {:.3g} steps/s  {} left", 100 * fraction, steps_per_second, duration(seconds_left));
  if (std::isfinite(worst_relative_error)) text += fmt::format("  worst error {:.2g} %", 100 * worst_relative_error);
  if (state.terminal) {
    fmt::print(stderr, "\r{}{}\033[K", bar(fraction, text.size()), text);
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
