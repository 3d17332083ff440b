#include "output/netcdf_program.h"

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <utility>

#include "child.h"
#include "error.h"
#include "output/wire.h"

namespace bmsim {

namespace {

constexpr int patience = 60'000;  // ms
constexpr size_t buffer_size = 1 << 16;

}  // namespace

std::string NetcdfProgram::path() {
  if (const char* given = std::getenv("BMSIM_NETCDF"); given != nullptr && *given != '\0') return given;
  Dl_info library{};
  if (dladdr(reinterpret_cast<const void*>(&NetcdfProgram::path), &library) == 0 || library.dli_fname == nullptr)
    fail("the library's own place is not known");
  return (std::filesystem::canonical(library.dli_fname).parent_path() / "bmsim" / "netcdf").string();
}

void NetcdfProgram::check(const std::string& subject) {
  if (access(path().c_str(), X_OK) != 0)
    fail("{}its program '{}' cannot be started: {}", subject, path(), std::strerror(errno));
}

NetcdfProgram::NetcdfProgram(std::string subject, Work work, std::vector<std::string> arguments)
    : subject_(std::move(subject)), work_(work), program_(path()), buffer_(buffer_size) {
  const bool reads = work == Work::reads;
  arguments.insert(arguments.begin(), {std::filesystem::absolute(program_), reads ? wire::read : wire::write});
  int out[2], in[2] = {-1, -1};
  if (pipe2(out, O_CLOEXEC) != 0) fail_with(fmt::format("no pipe to its program: {}", std::strerror(errno)));
  output_ = out[0];
  // A socket, which can be told to raise no signal when nobody reads it any more.
  int code = reads || socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, in) == 0 ? 0 : errno;
  input_ = in[0];
  Child program{.words = std::move(arguments), .without_input = reads, .silent = true, .own_group = false};
  if (!reads) program.files.emplace_back(in[1], STDIN_FILENO);
  program.files.emplace_back(out[1], STDOUT_FILENO);
  if (code == 0) code = start_child(program, process_);
  close(out[1]);
  if (in[1] >= 0) close(in[1]);
  if (code == 0) return;
  close(output_);
  if (input_ >= 0) close(input_);
  fail_with(fmt::format("its program '{}' cannot be started: {}", program_, std::strerror(code)));
}

NetcdfProgram::~NetcdfProgram() {
  close(output_);
  if (input_ >= 0) close(input_);
  if (process_ < 0) return;
  kill(process_, SIGKILL);
  while (waitpid(process_, nullptr, 0) < 0 && errno == EINTR) continue;
}

void NetcdfProgram::write(const void* bytes, size_t count) {
  const auto* from = static_cast<const char*>(bytes);
  if (unsent_.size() + count >= buffer_size) {
    send(unsent_.data(), unsent_.size());
    unsent_.clear();
  }
  if (count >= buffer_size)
    send(from, count);
  else
    unsent_.insert(unsent_.end(), from, from + count);
}

void NetcdfProgram::send(const char* bytes, size_t count) {
  while (count > 0 && input_ >= 0) {
    const ssize_t part = ::send(input_, bytes, count, MSG_NOSIGNAL);
    if (part >= 0) {
      bytes += part, count -= static_cast<size_t>(part);
    } else if (errno != EINTR) {
      break;
    }
  }
}

void NetcdfProgram::end_input() {
  send(unsent_.data(), unsent_.size());
  if (input_ >= 0) close(input_);
  input_ = -1;
}

void NetcdfProgram::read(void* bytes, size_t count) {
  auto* to = static_cast<char*>(bytes);
  while (count > 0) {
    if (begin_ == end_) fill();
    const size_t part = std::min(count, end_ - begin_);
    std::memcpy(to, buffer_.data() + begin_, part);
    begin_ += part, to += part, count -= part;
  }
}

void NetcdfProgram::fill() {
  pollfd wanted{output_, POLLIN, 0};
  int ready = 0;
  while ((ready = poll(&wanted, 1, patience)) < 0 && errno == EINTR) continue;
  if (ready == 0)
    fail_with(fmt::format("nothing of it was {} in {} s", work_ == Work::reads ? "read" : "made", patience / 1000));
  ssize_t got = 0;
  while ((got = ::read(output_, buffer_.data(), buffer_.size())) < 0 && errno == EINTR) continue;
  if (got <= 0) fail_ended();
  begin_ = 0, end_ = static_cast<size_t>(got);
}

void NetcdfProgram::fail_ended() {
  int status = 0;
  pid_t ended = 0;
  while ((ended = waitpid(process_, &status, 0)) < 0 && errno == EINTR) continue;
  process_ = -1;
  const bool reads = work_ == Work::reads;
  if (ended > 0 && WIFSIGNALED(status)) {
    if (reads && WTERMSIG(status) == SIGXCPU) fail_with("it is damaged: reading it does not end");
    fail_with(
        fmt::format("{} crashes ({})", reads ? "it is damaged: reading it" : "making it", strsignal(WTERMSIG(status))));
  }
  if (ended > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 127)
    fail_with(fmt::format("its program '{}' cannot be run", program_));
  fail_with("its program has ended too early");
}

void NetcdfProgram::fail_with(const std::string& why) const { fail("{}{}", subject_, why); }

}  // namespace bmsim
