// Temporary directories, and what killed processes leave behind: files and directories whose lock nobody holds.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace bmsim {

/// A name BEGINNING-HOST-PID-RANDOM, which nobody can guess. Throws Error if there is no randomness.
std::string own_name(std::string_view beginning);

/// Takes the lock of an open file or directory. False if a cleaner has removed it. Without locks nothing is removed.
bool lock_new(int descriptor);

/// Removes what killed processes of this user have left in `directory` under own_name(beginning) + ending: files, or
/// directories if the ending is "". Nobody holds their lock; their process is gone, or they are more than a day old.
void remove_abandoned(const std::filesystem::path& directory, std::string_view beginning, std::string_view ending = "");

/// A directory bmsim-PURPOSE-HOST-PID-RANDOM in `parent`, mode 0700. It is locked while this object lives, then removed
/// with all that is in it. Such directories that killed processes of this user have left in `parent` are removed, too.
class TemporaryDirectory {
 public:
  /// purpose: small letters. Throws Error: "cannot make a directory in 'PARENT': why".
  TemporaryDirectory(const std::filesystem::path& parent, const std::string& purpose);
  ~TemporaryDirectory();
  TemporaryDirectory(const TemporaryDirectory&) = delete;
  TemporaryDirectory& operator=(const TemporaryDirectory&) = delete;
  const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
  int lock_ = -1;
};

/// $TMPDIR, or /tmp. Throws Error if it is no directory.
std::filesystem::path temporary_place();

}  // namespace bmsim
