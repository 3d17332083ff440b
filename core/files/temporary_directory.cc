#include "files/temporary_directory.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "error.h"
#include "files/abandoned.h"

namespace bmsim {

namespace fs = std::filesystem;

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
