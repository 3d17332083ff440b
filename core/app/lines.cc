#include "lines.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sstream>
#include <utility>

#include "failure.h"
#include "paths.h"
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

namespace fs = std::filesystem;

// An open file that is locked: other prompts wait for it. It is not open if it cannot be, or if it is no plain file.
class LockedFile {
 public:
  LockedFile(const fs::path& path, int flags) : file_(open(path.c_str(), flags | O_CLOEXEC | O_NONBLOCK, 0600)) {
    struct stat status = {};
    if (file_ < 0) return;
    while (flock(file_, LOCK_EX) != 0 && errno == EINTR) continue;
    if (fstat(file_, &status) == 0 && S_ISREG(status.st_mode)) return;
    close(file_);
    file_ = -1;
    errno = EINVAL;
  }
  ~LockedFile() {
    if (file_ >= 0) close(file_);
  }
  LockedFile(const LockedFile&) = delete;
  LockedFile& operator=(const LockedFile&) = delete;
  explicit operator bool() const { return file_ >= 0; }

  std::string text() const {
    std::string contents;
    char buffer[65536];
    for (off_t at = 0;;) {
      const ssize_t n = pread(file_, buffer, sizeof buffer, at);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return contents;
      contents.append(buffer, static_cast<size_t>(n));
      at += n;
    }
  }
  // Writes a text at a position. What is behind the text is cut off.
  bool write(const std::string& text, off_t at) {
    for (size_t done = 0; done < text.size();) {
      const ssize_t n = pwrite(file_, text.data() + done, text.size() - done, at);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return false;
      done += static_cast<size_t>(n);
      at += n;
    }
    return ftruncate(file_, at) == 0;
  }

 private:
  int file_;
};

// The last `most` lines of a text.
std::string last_lines(const std::string& text, size_t most) {
  size_t from = text.size();
  for (size_t count = 0; count <= most; ++count) {
    if (from == 0) return text;
    const size_t end = text.rfind('\n', from - 1);
    if (end == std::string::npos) return text;
    if (count == most) return text.substr(end + 1);
    from = end;
  }
  return text;
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

fs::path HistoryFile::path() const {
  const fs::path directory = user_directory("XDG_STATE_HOME", ".local/state");
  return directory.empty() ? directory : directory / "history";
}

std::vector<std::string> HistoryFile::read() const {
  std::vector<std::string> lines;
  const fs::path file = path();
  if (file.empty()) return lines;
  const LockedFile locked(file, O_RDONLY);
  if (!locked) return lines;
  std::istringstream text(last_lines(locked.text(), most));
  for (std::string line; std::getline(text, line);)
    if (!line.empty()) lines.push_back(line);
  return lines;
}

void HistoryFile::append(const std::string& line) {
  const fs::path file = path();
  if (file.empty() || line.empty() || line.find('\n') != std::string::npos) return;
  std::error_code error;
  if (fs::is_character_file(file, error)) return;  // /dev/null, for no history
  fs::create_directories(file.parent_path(), error);
  LockedFile locked(file, O_RDWR | O_CREAT);
  bool written = false;
  if (locked) {
    const std::string text = locked.text();
    const std::string kept = last_lines(text, most - 1);
    const std::string gap = kept.empty() || kept.back() == '\n' ? "" : "\n";  // a line that was cut off by a full disk
    written = kept.size() == text.size() ? locked.write(gap + line + '\n', static_cast<off_t>(text.size()))
                                         : locked.write(kept + gap + line + '\n', 0);
  }
  if (!written && !told_)
    say(stderr, "bmsim: lines are not kept in {}: {}\n", printable(file.string()), std::strerror(errno));
  told_ = told_ || !written;
}

}  // namespace bmsim::app
