#include "files/temporary.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <csignal>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <optional>

#include "error.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

constexpr std::time_t day = 24 * 3600;  // s

/// The name of this machine in letters and digits.
std::string host() {
  std::array<char, 256> name{};
  gethostname(name.data(), name.size() - 1);
  std::string word;
  for (const char* c = name.data(); *c != '\0'; ++c)
    if (std::isalnum(static_cast<unsigned char>(*c)) != 0) word += *c;
  constexpr size_t most = 32;
  return word.empty() ? "host" : word.substr(0, most);
}

struct Owner {
  std::string_view host;
  pid_t process = 0;
};

/// The owner in a name BEGINNING-HOST-PID-...ENDING; nothing for other names.
std::optional<Owner> owner_of(std::string_view name, std::string_view beginning, std::string_view ending) {
  if (!name.starts_with(beginning) || !name.ends_with(ending)) return {};
  name.remove_prefix(beginning.size());
  const size_t second = name.find('-', 1), third = name.find('-', second + 1);
  if (!name.starts_with('-') || second == name.npos || third == name.npos) return {};
  Owner owner{name.substr(1, second - 1)};
  const auto [end, code] = std::from_chars(name.data() + second + 1, name.data() + third, owner.process);
  return code == std::errc() && end == name.data() + third && owner.process > 0 ? std::optional(owner) : std::nullopt;
}

/// Whether nobody else can rename what is ours in a directory.
bool names_last(const fs::path& directory) {
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0) return false;
  return (status.st_mode & S_ISVTX) != 0 || (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/// Whether what is open has this type (S_IFREG, S_IFDIR) and is abandoned; takes its lock then. If another host has
/// mounted the file system, too, its locks may not be seen here, and its processes are not.
bool take(int descriptor, const Owner& owner, mode_t type) {
  struct stat status {};
  if (fstat(descriptor, &status) != 0 || status.st_uid != geteuid() || (status.st_mode & S_IFMT) != type) return false;
  const bool gone = owner.host == host() && kill(owner.process, 0) != 0 && errno == ESRCH;
  if (!gone && std::time(nullptr) - status.st_mtim.tv_sec < day) return false;
  return flock(descriptor, LOCK_EX | LOCK_NB) == 0;
}

}  // namespace

std::string own_name(std::string_view beginning) {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz234567";
  uint64_t bits = 0;
  while (getrandom(&bits, sizeof bits, 0) != sizeof bits)
    if (errno != EINTR) fail("no random name for a file: {}", std::strerror(errno));
  std::string word = fmt::format("{}-{}-{}-", beginning, host(), getpid());
  for (int i = 0; i < 10; ++i, bits >>= 5) word += letters[bits % letters.size()];
  return word;
}

bool lock_new(int descriptor) {
  while (flock(descriptor, LOCK_EX) != 0 && errno == EINTR) continue;
  struct stat status {};
  return fstat(descriptor, &status) == 0 && status.st_nlink > 0;
}

// A directory is removed with all that is in it. So none is removed where others could give its name to a precious one.
void remove_abandoned(const fs::path& directory, std::string_view beginning, std::string_view ending) {
  const mode_t type = ending.empty() ? S_IFDIR : S_IFREG;
  if (type == S_IFDIR && !names_last(directory)) return;
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    const fs::path& path = entry->path();
    const std::string name = path.filename();
    const auto owner = owner_of(name, beginning, ending);
    if (!owner || owner->process == getpid()) continue;
    const int descriptor = open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (descriptor < 0) continue;
    std::error_code ignored;
    const bool abandoned = take(descriptor, *owner, type);
    if (abandoned && type == S_IFDIR) fs::remove_all(path, ignored);
    if (abandoned && type == S_IFREG) fs::remove(path, ignored);
    close(descriptor);
  }
}

TemporaryDirectory::TemporaryDirectory(const fs::path& parent, const std::string& purpose) {
  if (purpose.empty() || !std::ranges::all_of(purpose, [](char c) { return c >= 'a' && c <= 'z'; }))
    fail("a directory's purpose must be small letters, got '{}'", purpose);
  const std::string beginning = "bmsim-" + purpose;
  remove_abandoned(parent, beginning);
  while (lock_ < 0) {
    path_ = parent / own_name(beginning);
    if (mkdir(path_.c_str(), 0700) != 0) {
      if (errno == EEXIST || errno == EINTR) continue;
      fail("cannot make a directory in '{}': {}", parent.string(), std::strerror(errno));
    }
    lock_ = open(path_.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (lock_ >= 0 && lock_new(lock_)) return;
    if (lock_ < 0 && errno != ENOENT) {
      const int why = errno;
      rmdir(path_.c_str());
      fail("cannot make a directory in '{}': {}", parent.string(), std::strerror(why));
    }
    if (lock_ >= 0) close(lock_);
    lock_ = -1;
  }
}

TemporaryDirectory::~TemporaryDirectory() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  close(lock_);
}

fs::path temporary_place() {
  std::error_code error;
  fs::path place = fs::temp_directory_path(error);
  if (error) fail("no directory for temporary files (TMPDIR): {}", error.message());
  return place;
}

}  // namespace bmsim
