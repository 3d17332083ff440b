#include "worker.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <sstream>
#include <stdexcept>

#include "../child.h"

namespace bmsim::explore {
namespace {

constexpr size_t longest_frame = size_t{1} << 30;

// Reads until there is a line feed, or as many bytes as are missing.
class Reader {
 public:
  explicit Reader(int in) : in_(in) {}
  bool line(std::string& text) {
    size_t end = 0;
    while ((end = kept_.find('\n')) == std::string::npos)
      if (!more()) return false;
    text = kept_.substr(0, end);
    kept_.erase(0, end + 1);
    return true;
  }
  bool bytes(std::string& text, size_t count) {
    while (kept_.size() < count)
      if (!more()) return false;
    text = kept_.substr(0, count);
    kept_.erase(0, count);
    return true;
  }

 private:
  bool more() {
    std::array<char, 65536> buffer;
    ssize_t count = 0;
    while ((count = read(in_, buffer.data(), buffer.size())) < 0 && errno == EINTR) continue;
    if (count > 0) kept_.append(buffer.data(), static_cast<size_t>(count));
    return count > 0;
  }
  int in_;
  std::string kept_;
};

std::string how_it_ended(int status) {
  if (WIFSIGNALED(status)) return std::string("its process was ended by ") + strsignal(WTERMSIG(status));
  return "its process has ended with status " + std::to_string(WEXITSTATUS(status)) + "; the terminal may say why";
}

}  // namespace

pid_t start_process(const std::vector<std::string>& command, int in, int out) {
  Child asked{command};
  if (in >= 0) asked.files.emplace_back(in, STDIN_FILENO);
  if (out >= 0) asked.files.emplace_back(out, STDOUT_FILENO);
  pid_t child = 0;
  const int failed = start_child(asked, child);
  if (failed != 0) throw std::runtime_error(std::string("cannot start ") + command[0] + ": " + std::strerror(failed));
  return child;
}

Worker::Worker(std::vector<std::string> command, std::function<void(Frame)> hear,
               std::function<void(std::string)> ended)
    : command_(std::move(command)), hear_(std::move(hear)), ended_(std::move(ended)) {}

Worker::~Worker() { stop(); }

void Worker::start() {
  std::unique_lock lock(mutex_);
  if (reading_) return;
  end(lock);
  if (reading_) return;
  int to[2], from[2];
  if (pipe2(to, O_CLOEXEC) != 0) throw std::runtime_error("no pipe");
  if (pipe2(from, O_CLOEXEC) != 0) {
    close(to[0]), close(to[1]);
    throw std::runtime_error("no pipe");
  }
  try {
    child_ = start_process(command_, to[0], from[1]);
  } catch (...) {
    for (const int one : {to[0], to[1], from[0], from[1]}) close(one);
    throw;
  }
  close(to[0]), close(from[1]);
  out_ = to[1], meant_ = false, reading_ = true;
  reader_ = std::thread([this, in = from[0], child = child_] { read_from(in, child); });
}

void Worker::read_from(int in, pid_t child) {
  Reader reader(in);
  std::string head;
  while (reader.line(head)) {
    Frame frame;
    size_t length = 0;
    std::istringstream words(head);
    words >> frame.kind >> frame.id >> length;
    std::getline(words >> std::ws, frame.words);
    if (length > longest_frame || !reader.bytes(frame.bytes, length)) break;
    hear_(std::move(frame));
  }
  close(in);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  bool meant = false;
  {
    const std::lock_guard lock(mutex_);
    meant = meant_;
    reading_ = false;
    child_ = 0;
  }
  if (!meant) ended_(how_it_ended(status));
}

void Worker::stop() {
  std::unique_lock lock(mutex_);
  end(lock);
}

// Lets go of the lock while it waits.
void Worker::end(std::unique_lock<std::mutex>& lock) {
  constexpr int patience = 50;  // pauses
  constexpr auto pause = std::chrono::milliseconds(100);
  meant_ = true;
  if (out_ >= 0) close(out_);
  out_ = -1;
  for (int i = 0; reading_; ++i) {
    if (i == 1) kill(child_, SIGTERM);
    if (i == patience) kill(-child_, SIGKILL);
    lock.unlock();
    std::this_thread::sleep_for(pause);
    lock.lock();
  }
  if (!reader_.joinable()) return;
  std::thread ended = std::move(reader_);
  lock.unlock();
  ended.join();
  lock.lock();
}

bool Worker::is_running() {
  const std::lock_guard lock(mutex_);
  return reading_;
}

bool Worker::tell(const std::string& line) {
  const std::lock_guard lock(mutex_);
  if (out_ < 0 || !reading_) return false;
  const std::string text = line + "\n";
  for (size_t at = 0; at < text.size();) {
    const ssize_t written = write(out_, text.data() + at, text.size() - at);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) return false;
    at += static_cast<size_t>(written);
  }
  return true;
}

}  // namespace bmsim::explore
