// Compiled kernels on disk: one file per key, sealed. A damaged file is built again.
#pragma once
#include <atomic>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "files/temporary_directory.h"

namespace bmsim {

/// 128-bit FNV-1a over words of eight bytes, mixed with the number of bytes at the end, as 32 hexadecimal digits. Every
/// step is a bijection: texts of one length that differ in one word have different digests.
class Digest {
 public:
  /// The last word of every text that is added is filled up with zeros.
  void add(std::string_view text);
  template <class Number>
  requires std::is_arithmetic_v<Number>
  void add(Number number) { add({reinterpret_cast<const char*>(&number), sizeof number}); }
  /// How many they are, too.
  template <class Number> void add(const std::vector<Number>& numbers) {
    static_assert(std::is_trivially_copyable_v<Number>);
    add(uint64_t{numbers.size()});
    add({reinterpret_cast<const char*>(numbers.data()), numbers.size() * sizeof(Number)});
  }
  template <class Number> void add(const std::vector<std::vector<Number>>& lists) {
    add(uint64_t{lists.size()});
    for (const auto& list : lists) add(list);
  }
  std::string text() const;

 private:
  __extension__ typedef unsigned __int128 Wide;
  static constexpr Wide prime = (Wide{1} << 88) + 0x13b;
  Wide hash_ = (Wide{0x6c62272e07bb0142u} << 64) + 0x62b821756295c58du;
  uint64_t bytes_ = 0;
};

std::string digest(std::string_view text);

/// A kernel cache, created with mode 0700. It does not use a directory that another user owns or can write to, that
/// cannot be written, or that is full; kernels then go to a temporary directory of this process. No problem of a cache
/// stops a run: the first one gives a warning (warn.h). Several threads and processes may use a cache at once. When it
/// is larger than $BMSIM_CACHE_MB (1000) the kernels go that were not used for the longest time.
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
  /// The same for a kernel that is given by its bytes, not by a file.
  std::optional<std::string> load(const std::string& key);
  bool store(const std::string& key, const std::string& content);
  /// Keeps the source of a kernel that could not be compiled, for a week. Returns where, in words.
  std::string keep_source(const std::string& key, const char* suffix, std::string_view source) const;
  /// Steps per second of the kernel with this key in its last recorded run; 0 if there was none.
  double rate(const std::string& key) const;
  void keep_rate(const std::string& key, double steps_per_second) const;
  /// What it holds, and what clear() has removed: lines for a terminal.
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

}  // namespace bmsim
