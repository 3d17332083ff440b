#include "lines.h"

#include <poll.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <utility>

#include "say.h"
#include "signals.h"

namespace bmsim::app {
namespace {

// Waits for a line of a terminal, which gives one at a time, or for a signal.
Got wait_for_line() {
  constexpr int pause = 250;  // ms, for a signal that comes just before the call
  pollfd input = {STDIN_FILENO, POLLIN, 0};
  while (heard_signal() == 0)
    if (poll(&input, 1, pause) > 0) return Got::line;
  return Got::interrupted;
}

Got read_plain(const char* prompt, std::string& line) {
  say(stdout, "{}", prompt);
  std::fflush(stdout);
  if (isatty(STDIN_FILENO) != 0 && wait_for_line() == Got::interrupted) return Got::interrupted;
  char* buffer = nullptr;
  size_t capacity = 0;
  errno = 0;
  const auto length = getline(&buffer, &capacity, stdin);
  const bool interrupted = length < 0 && errno == EINTR;
  if (length >= 0) line.assign(buffer, static_cast<size_t>(length));
  std::free(buffer);
  if (length >= 0) return Got::line;
  std::clearerr(stdin);
  return interrupted ? Got::interrupted : Got::end;
}

}  // namespace

Lines::Lines(Completer complete) {
  if (isatty(STDIN_FILENO) != 0 && isatty(STDOUT_FILENO) != 0) editor_ = new_editor(std::move(complete));
}

Got Lines::read(const char* prompt, std::string& line) {
  const Got got = editor_ ? editor_->read(prompt, line) : read_plain(prompt, line);
  if (got != Got::line) say(stdout, "\n");
  return got;
}

}  // namespace bmsim::app
