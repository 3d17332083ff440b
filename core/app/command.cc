#include "command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

#include "failure.h"
#include "signals.h"

namespace bmsim::app {
namespace {

// Starts it in a process group of its own. Returns 0 or what failed.
int start(const std::string& command, int output, pid_t& child) {
  std::string words[] = {"sh", "-c", command};
  char* arguments[] = {words[0].data(), words[1].data(), words[2].data(), nullptr};
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  sigset_t all;
  sigfillset(&all);
  posix_spawnattr_t attributes;
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF);
  posix_spawnattr_setpgroup(&attributes, 0);
  posix_spawnattr_setsigdefault(&attributes, &all);
  const int failed = posix_spawn(&child, "/bin/sh", &actions, &attributes, arguments, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return failed;
}

// Reads to the end, or until a signal is heard.
std::string read_output(int input) {
  constexpr int pause = 50;  // milliseconds
  std::string text;
  char buffer[4096];
  for (ssize_t count = 1; count > 0 && heard_signal() == 0;) {
    pollfd one{input, POLLIN, 0};
    if (poll(&one, 1, pause) <= 0) continue;
    count = read(input, buffer, sizeof buffer);
    if (count > 0) text.append(buffer, static_cast<size_t>(count));
    if (count < 0 && errno == EINTR) count = 1;
  }
  return text;
}

int wait_for(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

Ran run_command(const std::string& command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) throw Failure(fmt::format("cannot start a command: {}", std::strerror(errno)));
  pid_t child = 0;
  const int failed = start(command, ends[1], child);
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
