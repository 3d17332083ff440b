#include "lua_host.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "../child.h"

namespace bmsim::app {
namespace {

// Reads to the end, or until a signal is heard.
std::string read_output(int input) {
  constexpr int pause = 50;  // milliseconds
  std::string text;
  char buffer[4096];
  for (ssize_t count = 1; count > 0 && heard_signal() == 0;) {
    pollfd readable{input, POLLIN, 0};
    if (poll(&readable, 1, pause) <= 0) continue;
    count = read(input, buffer, sizeof buffer);
    if (count > 0) text.append(buffer, static_cast<size_t>(count));
    if (count < 0 && errno == EINTR) count = 1;
  }
  return text;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Ran run_command(const std::string& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Failure(fmt::format("cannot start a command: {}", std::strerror(errno)));
  pid_t child = 0;
  const int failed = start_child({.words = {"/bin/sh", "-c", command},
                                  .files = {{ends[1], STDOUT_FILENO}, {ends[1], STDERR_FILENO}},
                                  .without_input = true},
                                 child);
  close(ends[1]);
  Ran ran;
  if (failed == 0) ran.said = read_output(ends[0]);
  close(ends[0]);
  if (failed != 0) throw Failure(fmt::format("cannot start a command: {}", std::strerror(failed)));
  if (heard_signal() != 0) kill(-child, SIGKILL);
  ran.status = wait_for(child);
  return ran;
}

}  // namespace bmsim::app
