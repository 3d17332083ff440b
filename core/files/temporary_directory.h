// Directories for temporary files.
#pragma once
#include <filesystem>
#include <string>

namespace bmsim {

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
