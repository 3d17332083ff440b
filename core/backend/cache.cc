// A sealed file ends with a magic word and the digest of everything before it. Loaders of shared objects ignore this.
#include "backend/cache.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "backend/warn.h"
#include "error.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view seal_magic = "bmsim-kernel-1 ";
constexpr size_t seal_bytes = seal_magic.size() + 32;
constexpr off_t room = 1 << 20;  // bytes that must be free: several kernels

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// The end of a file with this body.
std::string seal(std::string_view body) { return std::string(seal_magic) + digest(body); }

bool whole(const std::string& content) {
  if (content.size() < seal_bytes) return false;
  const std::string_view body = std::string_view(content).substr(0, content.size() - seal_bytes);
  return content.substr(body.size()) == seal(body);
}

fs::path user_cache() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && xdg[0] == '/') return fs::path(xdg) / "bmsim";
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') return fs::path(home) / ".cache/bmsim";
  return {};
}

/// Reason why a kernel cannot be written there; empty if it can. Found by trying, since permissions, quotas, read-only
/// and full file systems all fail differently.
std::string write_problem(const fs::path& directory) {
  std::string name = (directory / "probe-XXXXXX").string();
  const int file = mkstemp(name.data());
  if (file < 0) return fmt::format("it cannot be written to: {}", std::strerror(errno));
  const int error = posix_fallocate(file, 0, room);
  close(file);
  unlink(name.c_str());
  if (error == ENOSPC || error == EDQUOT || error == EFBIG)
    return fmt::format("there is no room for a kernel: {}", std::strerror(error));
  return {};
}

/// Reason why the directory cannot be used; empty if it can. Creates the directory if necessary.
std::string problem(const fs::path& directory) {
  if (directory.empty()) return "neither XDG_CACHE_HOME nor HOME is set";
  std::error_code error;
  fs::create_directories(directory.parent_path(), error);
  if (mkdir(directory.c_str(), 0700) != 0 && errno != EEXIST)
    return fmt::format("cannot create it: {}", std::strerror(errno));
  struct stat status {};
  if (lstat(directory.c_str(), &status) != 0 || !S_ISDIR(status.st_mode)) return "it is not a directory";
  if (status.st_uid != geteuid()) return "another user owns it";
  if ((status.st_mode & (S_IWGRP | S_IWOTH)) != 0) return "other users can write to it";
  return write_problem(directory);
}

/// Name of a file that no other process or thread writes.
std::string part_name(const std::string& key) {
  static std::atomic<unsigned> number{0};
  return fmt::format("{}.{}.{}.part", key, getpid(), number++);
}

}  // namespace

std::string digest(std::string_view text) {
  __extension__ using Wide = unsigned __int128;
  const Wide prime = (Wide{1} << 88) + 0x13b;
  Wide hash = (Wide{0x6c62272e07bb0142u} << 64) + 0x62b821756295c58du;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * prime;
  return fmt::format("{:016x}{:016x}", static_cast<uint64_t>(hash >> 64), static_cast<uint64_t>(hash));
}

KernelCache& KernelCache::instance() {
  static KernelCache cache(user_cache());
  return cache;
}

KernelCache::KernelCache(fs::path directory) : directory_(std::move(directory)) {
  if (const std::string why = problem(directory_); !why.empty()) use_temporary(why);
}

KernelCache::~KernelCache() {
  std::error_code error;
  if (temporary_) fs::remove_all(directory_, error);
}

void KernelCache::warn_once(const std::string& message) {
  if (!warned_.exchange(true)) warn("warning: " + message);
}

void KernelCache::use_temporary(const std::string& why) {
  if (directory_.empty())
    warn_once(fmt::format("no kernel cache: {}", why));
  else
    warn_once(fmt::format("no kernel cache in '{}': {}", directory_.string(), why));
  std::error_code error;
  const fs::path root = fs::temp_directory_path(error);
  if (error) fail_device("kernel: no directory for temporary files (TMPDIR): {}", error.message());
  std::string name = (root / "bmsim-XXXXXX").string();
  if (mkdtemp(name.data()) == nullptr)
    fail_device("kernel: cannot create a directory '{}': {}", name, std::strerror(errno));
  directory_ = name;
  temporary_ = true;
}

std::optional<fs::path> KernelCache::find(const std::string& key) {
  const fs::path file = directory_ / (key + ".so");
  std::error_code error;
  if (!fs::exists(file, error)) return std::nullopt;
  if (fs::is_regular_file(file, error) && whole(read_file(file))) return file;
  warn_once(fmt::format("kernel cache: '{}' is damaged and is built anew", file.string()));
  fs::remove_all(file, error);
  return std::nullopt;
}

bool KernelCache::keep(const std::string& key, const fs::path& built) {
  errno = 0;
  std::ofstream out(built, std::ios::binary | std::ios::app);
  out << seal(read_file(built));
  out.close();
  return rename(key, built, !out.fail());
}

bool KernelCache::rename(const std::string& key, const fs::path& built, bool written) {
  std::error_code error;
  if (!written) error = {errno != 0 ? errno : EIO, std::generic_category()};
  if (!error) fs::rename(built, directory_ / (key + ".so"), error);
  if (!error) return true;
  warn_once(fmt::format("kernel cache: a kernel is not kept in '{}': {}", directory_.string(), error.message()));
  fs::remove(built, error);
  return false;
}

std::optional<std::string> KernelCache::load(const std::string& key) {
  const auto file = find(key);
  if (!file) return std::nullopt;
  std::string content = read_file(*file);
  content.resize(content.size() - seal_bytes);
  return content;
}

bool KernelCache::store(const std::string& key, const std::string& content) {
  const fs::path built = directory_ / part_name(key);
  errno = 0;
  std::ofstream out(built, std::ios::binary);
  out << content << seal(content);
  out.close();
  return rename(key, built, !out.fail());
}

double KernelCache::rate(const std::string& key) const {
  double rate = 0;
  std::ifstream(directory_ / (key + ".rate")) >> rate;
  return rate > 0 ? rate : 0;
}

void KernelCache::keep_rate(const std::string& key, double steps_per_second) const {
  const fs::path part = directory_ / part_name(key);
  std::ofstream(part) << steps_per_second << '\n';
  std::error_code error;
  fs::rename(part, directory_ / (key + ".rate"), error);
  if (error) fs::remove(part, error);
}

}  // namespace bmsim
