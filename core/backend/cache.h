// Compiled kernels on disk: one file per key, sealed. A damaged file is built again.
#pragma once
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "backend/digest.h"
#include "files/temporary.h"

namespace bmsim {

/// A kernel cache, created with mode 0700. It does not use a directory that another user owns or can write to, that
/// cannot be written, or that is full; kernels then go to a temporary directory of this process. No problem of a cache
/// stops a run: the first one gives a warning (warn.h). Several threads and processes may use a cache at once. When it
/// is larger than $BMSIM_CACHE_MB (1000) it drops the kernels that were not used for the longest time.
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
  /// A directory to build a kernel in. Throws Error.
  std::unique_ptr<TemporaryDirectory> workshop() const;
  /// Keeps the file `built`. Returns whether it could.
  bool keep(const std::string& key, const std::filesystem::path& built);
  /// Load and keep a kernel that is given by its bytes, not by a file.
  std::optional<std::string> load(const std::string& key);
  bool store(const std::string& key, const std::string& content);
  /// Keeps the source of a kernel that could not be compiled, for a week. Returns where, in words.
  std::string keep_source(const std::string& key, const char* suffix, std::string_view source) const;
  /// Steps per second of the kernel with this key in its last recorded run; 0 if there was none.
  double rate(const std::string& key) const;
  void keep_rate(const std::string& key, double steps_per_second) const;
  /// What the cache holds, and what clear() has removed: lines for a terminal.
  std::string show() const;
  std::string clear() const;
  const std::filesystem::path& directory() const { return directory_; }
  bool temporary() const { return temporary_ != nullptr; }

 private:
  void use_temporary(const std::string& why);
  std::filesystem::path file_of(const std::string& key, const char* suffix) const;
  void keep_within(double bytes) const;
  void warn_once(const std::string& message);
  std::filesystem::path directory_;
  std::unique_ptr<TemporaryDirectory> temporary_;
  std::atomic<bool> warned_{false};
};

// Kernels kept for the user to look at (--keep-source): the source text, and what it was compiled to.

/// Creates the directory if necessary. Throws Error if it is no directory or cannot be written to.
void prepare_kept_files(const std::filesystem::path& directory);
/// Writes "kernel-KEY.cu" and the like, KEY being the beginning of the cache key. Returns its name. Throws Error.
std::string keep_file(const std::filesystem::path& directory, const std::string& key, const char* suffix,
                      std::string_view content);

}  // namespace bmsim
