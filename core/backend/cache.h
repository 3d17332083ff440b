// Compiled kernels on disk: one file per key, written to a temporary name and renamed; what is broken is built anew.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace bmsim {

/// 128-bit FNV-1a, as 32 hexadecimal digits.
std::string digest(std::string_view text);

/// The user's kernel cache: $XDG_CACHE_HOME/bmsim or ~/.cache/bmsim, created with mode 0700. A directory that another
/// user owns or can write to is not used, nor one that cannot be written: then kernels live in a temporary directory of
/// this process, after one warning on stderr.
class KernelCache {
 public:
  static KernelCache& instance();
  ~KernelCache();

  /// The file kept under this key, if it is whole.
  std::optional<std::filesystem::path> find(const std::string& key);
  /// Seals the file `built` (in directory()) and gives it its final name. Returns that.
  std::filesystem::path keep(const std::string& key, const std::filesystem::path& built);
  /// The same for a kernel that is no file of its own: its bytes.
  std::optional<std::string> load(const std::string& key);
  void store(const std::string& key, const std::string& content);
  /// Steps per second that the kernel under this key was last seen to make, 0 if never.
  double rate(const std::string& key) const;
  void keep_rate(const std::string& key, double steps_per_second) const;
  /// Where to build; files here are private to the user.
  const std::filesystem::path& directory() const { return directory_; }
  bool temporary() const { return temporary_; }

 private:
  KernelCache();
  void use_temporary(const std::string& why);
  std::filesystem::path directory_;
  bool temporary_ = false;
};

}  // namespace bmsim
