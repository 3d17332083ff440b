// Compiled kernels on disk: one file per key, written to a temporary name and renamed. A damaged file is built again.
#pragma once
#include <atomic>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace bmsim {

/// 128-bit FNV-1a, as 32 hexadecimal digits.
std::string digest(std::string_view text);

/// A kernel cache, created with mode 0700. It does not use a directory that another user owns or can write to, that
/// cannot be written, or that is full; kernels then go to a temporary directory of this process. No problem of a cache
/// stops a run: the first one gives a warning (warn.h). Several threads may use a cache at once.
class KernelCache {
 public:
  /// The user's cache: $XDG_CACHE_HOME/bmsim or ~/.cache/bmsim.
  static KernelCache& instance();
  explicit KernelCache(std::filesystem::path directory);
  ~KernelCache();
  KernelCache(const KernelCache&) = delete;
  KernelCache& operator=(const KernelCache&) = delete;

  /// The file kept under this key, if it is undamaged; a damaged one is removed.
  std::optional<std::filesystem::path> find(const std::string& key);
  /// Seals the file `built` (in directory()) and gives it its final name; removes it if that fails. Returns whether it
  /// is kept.
  bool keep(const std::string& key, const std::filesystem::path& built);
  /// The same for a kernel that is given by its bytes, not by a file.
  std::optional<std::string> load(const std::string& key);
  bool store(const std::string& key, const std::string& content);
  /// Steps per second of the kernel with this key in its last recorded run; 0 if there was none.
  double rate(const std::string& key) const;
  void keep_rate(const std::string& key, double steps_per_second) const;
  /// Where to build; files here are private to the user.
  const std::filesystem::path& directory() const { return directory_; }
  bool temporary() const { return temporary_; }

 private:
  void use_temporary(const std::string& why);
  bool rename(const std::string& key, const std::filesystem::path& built, bool written);
  void warn_once(const std::string& message);
  std::filesystem::path directory_;
  bool temporary_ = false;
  std::atomic<bool> warned_{false};
};

}  // namespace bmsim
