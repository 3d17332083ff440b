#include "files/abandoned.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>

#include "error.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

constexpr std::time_t moment = 60;  // s; a library opens the file of its name within it

/// The process of a name BEGINNING-PID-...; 0 for other names.
pid_t process_of(std::string_view name, std::string_view beginning, std::string_view ending) {
  if (!name.starts_with(beginning) || !name.ends_with(ending)) return 0;
  const char *from = name.data() + beginning.size(), *to = name.data() + name.size();
  if (from == to || *from != '-') return 0;
  pid_t process = 0;
  const auto [end, code] = std::from_chars(from + 1, to, process);
  return code == std::errc() && end != to && *end == '-' && process > 0 ? process : 0;
}

/// Whether what is open is abandoned: the lock is then ours.
bool take(int descriptor, pid_t process) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || status.st_uid != geteuid()) return false;
  if (!S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode)) return false;
  const bool gone = kill(process, 0) != 0 && errno == ESRCH;
  if (!gone && std::time(nullptr) - status.st_mtim.tv_sec < moment) return false;
  return flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

std::string random_word() {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz234567";
  uint64_t bits = 0;
  while (getrandom(&bits, sizeof bits, 0) != sizeof bits)
    if (errno != EINTR) fail("no random name for a file: {}", std::strerror(errno));
  std::string word;
  for (int i = 0; i < 10; ++i, bits >>= 5) word += letters[bits % letters.size()];
  return word;
}

bool lock_new(int descriptor) {
  while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) {
  }
  struct stat status {};
  return fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

void remove_abandoned(const fs::path& directory, std::string_view beginning, std::string_view ending) {
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    const pid_t process = process_of(path.filename().native(), beginning, ending);
    if (process == 0 || process == getpid()) continue;
    const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    std::error_code ignored;
    if (take(descriptor, process)) fs::remove_all(path, ignored);
    close(descriptor);
  }
}

}  // namespace bmsim
