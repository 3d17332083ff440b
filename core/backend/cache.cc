// A sealed file ends with a magic word and the digest of its key and all before it, which loaders of objects ignore.
#include "backend/cache.h"

#include <fcntl.h>
#include <fmt/chrono.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fstream>
#include <utility>
#include <vector>

#include "backend/warn.h"
#include "error.h"
#include "files/new_file.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view seal_magic = "bmsim-kernel-3 ";
constexpr size_t seal_bytes = seal_magic.size() + 32;
constexpr off_t room = 1 << 20;  // bytes that must be free: several kernels
constexpr const char *kernel_suffix = ".kernel", *rate_suffix = ".rate", *build = "build";
constexpr std::time_t week = 7 * 24 * 3600;  // s
constexpr double bytes_per_mb = 1e6;

/// The end of a file with this body under this key.
std::string seal(const std::string& key, std::string_view body) {
  return std::string(seal_magic) + digest(fmt::format("{}\n{}", key, body));
}

bool whole(const std::string& key, const std::string& content) {
  if (content.size() < seal_bytes) return false;
  const std::string_view body = std::string_view(content).substr(0, content.size() - seal_bytes);
  return content.substr(body.size()) == seal(key, body);
}

fs::path user_cache() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && xdg[0] == '/') return fs::path(xdg) / "bmsim";
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') return fs::path(home) / ".cache/bmsim";
  return {};
}

/// Bytes that a cache may hold: $BMSIM_CACHE_MB, or 1000 MB.
double size_limit() {
  constexpr double usual = 1000;
  const char* text = std::getenv("BMSIM_CACHE_MB");
  if (text == nullptr || *text == '\0') return usual * bytes_per_mb;
  double mb = 0;
  const auto [end, code] = std::from_chars(text, text + std::strlen(text), mb);
  if (code != std::errc() || *end != '\0' || !(mb >= 0)) {
    warn(fmt::format("warning: BMSIM_CACHE_MB must be a number >= 0, got '{}'; it is {:g}", text, usual));
    return usual * bytes_per_mb;
  }
  return mb * bytes_per_mb;
}

/// Reason why a kernel cannot be written to a directory; empty if it can. Found by trying, since permissions, quotas,
/// read-only and full file systems all fail differently.
std::string write_problem(const fs::path& directory) {
  const fs::path name = temporary_name(directory);
  const int file = open(name.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (file < 0) return fmt::format("it cannot be written to: {}", std::strerror(errno));
  const int error = posix_fallocate(file, 0, room);
  close(file);
  unlink(name.c_str());
  if (error == ENOSPC || error == EDQUOT || error == EFBIG)
    return fmt::format("there is no room for a kernel: {}", std::strerror(error));
  return {};
}

/// Reason why the directory, which may be a symbolic link, cannot be used; empty if it can. Creates it if necessary.
std::string problem(const fs::path& directory) {
  if (directory.empty()) return "neither XDG_CACHE_HOME nor HOME is set";
  std::error_code error;
  fs::create_directories(directory.parent_path(), error);
  if (mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST)
    return fmt::format("cannot create it: {}", std::strerror(errno));
  struct stat status {};
  if (stat(directory.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return "it is not a directory";
  if (status.st_uid != geteuid()) return "another user owns it";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "other users can write to it";
  return write_problem(directory);
}

struct KeptFile {
  fs::path file;
  double bytes = 0;
  std::time_t used = 0;
  bool is_kernel() const { return file.extension() == kernel_suffix; }
  /// Whether it is a kernel or a rate, not the source of one that could not be compiled, nor of older versions.
  bool lasts() const { return is_kernel() || file.extension() == rate_suffix; }
};

/// The files of a directory, the least recently used first.
std::vector<KeptFile> entries_of(const fs::path& directory) {
  std::vector<KeptFile> entries;
  std::error_code error;
  fs::directory_iterator entry(directory, error);
  for (; !error && entry != fs::directory_iterator(); entry.increment(error)) {
    struct stat status {};
    if (lstat(entry->path().c_str(), &status) == 0 && S_ISREG(status.st_mode))
      entries.push_back({entry->path(), static_cast<double>(status.st_size), status.st_mtim.tv_sec});
  }
  std::ranges::sort(entries, {}, &KeptFile::used);
  return entries;
}

double bytes_of(const std::vector<KeptFile>& entries) {
  double bytes = 0;
  for (const KeptFile& entry : entries) bytes += entry.bytes;
  return bytes;
}

}  // namespace

KernelCache& KernelCache::instance() {
  static KernelCache cache(user_cache());
  return cache;
}

KernelCache::KernelCache(fs::path directory) : directory_(std::move(directory)) {
  if (const std::string why = problem(directory_); !why.empty()) use_temporary(why);
  remove_abandoned_files(directory_);
}

KernelCache::~KernelCache() = default;

void KernelCache::warn_once(const std::string& message) {
  if (!warned_.exchange(true)) warn("warning: " + message);
}

void KernelCache::use_temporary(const std::string& why) {
  if (directory_.empty())
    warn_once(fmt::format("no kernel cache: {}", why));
  else
    warn_once(fmt::format("no kernel cache in '{}': {}", directory_.string(), why));
  try {
    temporary_ = std::make_unique<TemporaryDirectory>(temporary_place(), "kernels");
  } catch (const Error& error) {
    fail_device("kernel: {}", error.what());
  }
  directory_ = temporary_->path();
}

fs::path KernelCache::file_of(const std::string& key, const char* suffix) const { return directory_ / (key + suffix); }

std::optional<fs::path> KernelCache::find(const std::string& key) {
  fs::path file = file_of(key, kernel_suffix);
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  if (fs::is_regular_file(file, error) && whole(key, read_file(file))) {
    utimensat(AT_FDCWD, file.c_str(), nullptr, 0);  // used now
    return file;
  }
  warn_once(fmt::format("kernel cache: '{}' is damaged and is built anew", file.string()));
  fs::remove_all(file, error);
  return std::nullopt;
}

std::unique_ptr<TemporaryDirectory> KernelCache::workshop() const {
  try {
    std::error_code error;
    // Somebody may have removed the directory since the last kernel.
    if (!fs::exists(directory_, error)) (void)problem(directory_);
    return std::make_unique<TemporaryDirectory>(directory_, build);
  } catch (const Error& error) {
    fail_device("kernel: {}", error.what());
  }
}

bool KernelCache::keep(const std::string& key, const fs::path& built) { return store(key, read_file(built)); }

std::optional<std::string> KernelCache::load(const std::string& key) {
  const auto file = find(key);
  if (!file) return std::nullopt;
  std::string content = read_file(*file);
  content.resize(content.size() - std::min(content.size(), seal_bytes));
  return content;
}

bool KernelCache::store(const std::string& key, const std::string& content) {
  try {
    NewFile file("kernel cache", file_of(key, kernel_suffix));
    file.write(content);
    file.write(seal(key, content));
    file.publish(Existing::replace, Durable::no);
    keep_within(size_limit());
    return true;
  } catch (const Error& error) {
    warn_once(fmt::format("{}; the kernel is not kept", error.what()));
    return false;
  }
}

std::string KernelCache::keep_source(const std::string& key, const char* suffix, std::string_view source) const {
  const fs::path file = file_of(key, suffix);
  try {
    write_file("kernel", file, source, Existing::replace, Durable::no);
    return "the source is kept in " + file.string();
  } catch (const Error& error) {
    return fmt::format("the source could not be kept: {}", error.what());
  }
}

double KernelCache::rate(const std::string& key) const {
  double rate = 0;
  const fs::path file = file_of(key, rate_suffix);
  std::error_code error;
  if (fs::is_regular_file(file, error)) std::ifstream(file) >> rate;
  return rate > 0 ? rate : 0;
}

// A failure is ignored: a rate that is not kept is measured again.
void KernelCache::keep_rate(const std::string& key, double steps_per_second) const {
  try {
    write_file("kernel cache", file_of(key, rate_suffix), fmt::format("{}\n", steps_per_second), Existing::replace,
               Durable::no);
  } catch (const Error&) {
  }
}

void KernelCache::keep_within(double limit) const {
  remove_abandoned(directory_, fmt::format("bmsim-{}", build));
  remove_abandoned_files(directory_);
  const std::vector<KeptFile> entries = entries_of(directory_);
  const std::time_t now = std::time(nullptr);
  double bytes = bytes_of(entries);
  for (const KeptFile& entry : entries) {
    if (bytes <= limit && (entry.lasts() || now - entry.used < week)) continue;
    std::error_code ignored;
    if (fs::remove(entry.file, ignored)) bytes -= entry.bytes;
  }
}

std::string KernelCache::show() const {
  const std::vector<KeptFile> entries = entries_of(directory_);
  const auto kernels = std::ranges::count_if(entries, &KeptFile::is_kernel);
  std::string text =
      fmt::format("directory  {}\nkernels    {}\nsize       {:.1f} MB, of at most {:g} MB (BMSIM_CACHE_MB)\n",
                  directory_.string(), kernels, bytes_of(entries) / bytes_per_mb, size_limit() / bytes_per_mb);
  if (entries.empty()) return text;
  return text + fmt::format("last used  {:%Y-%m-%d %H:%M}; the oldest {:%Y-%m-%d %H:%M}\n",
                            fmt::localtime(entries.back().used), fmt::localtime(entries.front().used));
}

std::string KernelCache::clear() const {
  const double before = bytes_of(entries_of(directory_));
  keep_within(-1);
  return fmt::format("removed    {:.1f} MB in '{}'\n", (before - bytes_of(entries_of(directory_))) / bytes_per_mb,
                     directory_.string());
}

void prepare_kept_files(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  std::error_code ignored;
  if (fs::exists(directory, ignored) && !fs::is_directory(directory, ignored))
    fail("keep_source: '{}' is not a directory", directory.string());
  if (error) fail("keep_source: cannot create the directory '{}': {}", directory.string(), error.message());
  if (access(directory.c_str(), W_OK | X_OK) != 0)
    fail("keep_source: cannot write to '{}': {}", directory.string(), std::strerror(errno));
}

std::string keep_file(const fs::path& directory, const std::string& key, const char* suffix, std::string_view content) {
  const fs::path file = directory / ("kernel-" + key.substr(0, 12) + suffix);
  write_file("keep_source", file, content, Existing::replace, Durable::no);
  return file.string();
}

}  // namespace bmsim
