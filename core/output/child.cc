#include "output/child.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "error.h"

extern char** environ;

namespace bmsim {

namespace {

constexpr int patience = 60'000;  // ms
constexpr size_t buffer_size = 1 << 16;

/// How the process is started: without input and messages, with no signal ignored or blocked.
class Start {
 public:
  explicit Start(int output) {
    posix_spawn_file_actions_init(&files_);
    posix_spawn_file_actions_addopen(&files_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&files_, output, STDOUT_FILENO);
    posix_spawn_file_actions_addopen(&files_, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawnattr_init(&attributes_);
    sigset_t signals;
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
    posix_spawnattr_setflags(&attributes_, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
  }
  ~Start() {
    posix_spawn_file_actions_destroy(&files_);
    posix_spawnattr_destroy(&attributes_);
  }
  Start(const Start&) = delete;
  Start& operator=(const Start&) = delete;

  int spawn(pid_t& process, const std::vector<std::string>& command) const {
    std::vector<char*> words;
    for (const std::string& word : command) words.push_back(const_cast<char*>(word.c_str()));
    words.push_back(nullptr);
    return posix_spawn(&process, words[0], &files_, &attributes_, words.data(), environ);
  }

 private:
  posix_spawn_file_actions_t files_{};
  posix_spawnattr_t attributes_{};
};

}  // namespace

Child::Child(const std::vector<std::string>& command) : program_(command.at(0)), buffer_(buffer_size) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) fail("no pipe to its reader: {}", std::strerror(errno));
  output_ = ends[0];
  const int code = Start(ends[1]).spawn(process_, command);
  close(ends[1]);
  if (code == 0) return;
  close(output_);
  fail("its reader '{}' cannot be started: {}", program_, std::strerror(code));
}

Child::~Child() {
  close(output_);
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void Child::read(void* bytes, size_t count) {
  auto* to = static_cast<char*>(bytes);
  while (count > 0) {
    if (begin_ == end_) fill();
    const size_t part = std::min(count, end_ - begin_);
    std::memcpy(to, buffer_.data() + begin_, part);
    begin_ += part, to += part, count -= part;
  }
}

void Child::fill() {
  pollfd wanted{output_, POLLIN, 0};
  int ready = 0;
  while ((ready = poll(&wanted, 1, patience)) < 0 && errno == EINTR) continue;
  if (ready == 0) fail("nothing of it was read in {} s", patience / 1000);
  ssize_t got = 0;
  while ((got = ::read(output_, buffer_.data(), buffer_.size())) < 0 && errno == EINTR) continue;
  if (got <= 0) fail_ended();
  begin_ = 0, end_ = static_cast<size_t>(got);
}

void Child::fail_ended() {
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(process_, &status, 0)) < 0 && errno == EINTR) continue;
  process_ = -1;
  if (ended > 0 && WIFSIGNALED(status)) {
    if (WTERMSIG(status) == SIGXCPU) fail("it is damaged: reading it does not end");
    fail("it is damaged: reading it crashes ({})", strsignal(WTERMSIG(status)));
  }
  if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127) fail("its reader '{}' cannot be run", program_);
  fail("its reader has ended too early");
}

}  // namespace bmsim
