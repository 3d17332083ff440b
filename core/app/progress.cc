#include "progress.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace bmsim::app {
namespace {

std::string duration(double seconds) {
  if (!(seconds >= 0) || std::isinf(seconds)) return "?";
  if (seconds < 90) return fmt::format("{:.0f} s", seconds);
  constexpr double hour = 3600, day = 24 * hour;
  if (seconds < 1.5 * hour) return fmt::format("{:.0f} min", seconds / 60);
  return seconds < 3 * day    ? fmt::format("{:.1f} h", seconds / hour)
         : seconds < 99 * day ? fmt::format("{:.1f} days", seconds / day)
                              : fmt::format("{:.4g} days", std::round(seconds / day));
}

// The pause between two lines of a log: ten seconds at first, ten minutes from the tenth hour on.
std::chrono::duration<double> pause_after(std::chrono::duration<double> run) {
  return std::clamp<std::chrono::duration<double>>(run / 60, std::chrono::seconds(10), std::chrono::minutes(10));
}

// "[=====>    ] " in the rest of the terminal's line; empty if there is too little room.
std::string bar(double fraction, size_t taken) {
  constexpr size_t frame = 3, least = 10, most = 40;
  const size_t width = terminal_width(STDERR_FILENO),
               used = taken + frame + 1;  // the last column stays free: a full line would wrap
  if (width < used + least) return "";
  const size_t room = std::min(width - used, most);
  const auto done = static_cast<size_t>(fraction * static_cast<double>(room));
  std::string cells = std::string(done, '=') + (done < room ? ">" : "");
  cells.resize(room, ' ');
  return "[" + cells + "] ";
}

}  // namespace

size_t terminal_width(int stream) {
  winsize size{};
  return ioctl(stream, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

void ProgressLine::report(const bm_progress& progress) {
  const auto now = Clock::now();
  const auto pause = terminal_ ? std::chrono::milliseconds(100) : pause_after(now - began_);
  const bool done = progress.fraction >= 1;
  if (ended_) began_ = now;
  if (done && terminal_) return clear();
  if (done ? ended_ : now - last_ < pause) return;
  ended_ = done;
  last_ = now;
  auto text = fmt::format("{:3.0f} %  {:.3g} steps/s  {} left", std::floor(100 * progress.fraction),
                          progress.steps_per_second, duration(progress.seconds_left));
  if (std::isfinite(progress.worst_relative_error))
    text += fmt::format("  worst error {:.2g} %", 100 * progress.worst_relative_error);
  if (terminal_) {
    say(stderr, "\r{}{}\033[K", bar(progress.fraction, text.size()), text);
    shown_ = true;
  } else {
    say(stderr, "{}\n", text);
  }
  std::fflush(stderr);
}

void ProgressLine::show(const Session& session, bool always) {
  terminal_ = isatty(STDERR_FILENO) != 0;
  if (!terminal_ && !always) return;
  // The first report comes after a pause too, so that short runs stay silent.
  last_ = began_ = Clock::now();
  const auto tell = [](void* user, const bm_progress* progress) {
    static_cast<ProgressLine*>(user)->report(*progress);
  };
  bm_session_on_progress(session.get(), tell, this);
}

void ProgressLine::clear() {
  if (shown_) say(stderr, "\r\033[K");
  shown_ = false;
}

}  // namespace bmsim::app
