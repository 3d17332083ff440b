// A sealed file ends with a magic word and the digest of all before it; loaders of shared objects ignore what follows.
#include "backend/cache.h"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

#include "error.h"

namespace bmsim {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view seal_magic = "bmsim-kernel-1 ";

std::string read_file(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

bool whole(const std::string& content) {
  const size_t seal = seal_magic.size() + 32;
  if (content.size() < seal) return false;
  const size_t body = content.size() - seal;
  return content.compare(body, seal_magic.size(), seal_magic) == 0 &&
         content.substr(body + seal_magic.size()) == digest(std::string_view(content).substr(0, body));
}

fs::path user_cache() {
  if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && xdg[0] == '/') return fs::path(xdg) / "bmsim";
  if (const char* home = std::getenv("HOME"); home != nullptr && home[0] == '/') return fs::path(home) / ".cache/bmsim";
  return {};
}

/// Why the directory cannot be used; empty if it can. Creates it if need be.
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
  if (access(directory.c_str(), W_OK | X_OK) != 0) return "it cannot be written to";
  return {};
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
  static KernelCache cache;
  return cache;
}

KernelCache::KernelCache() : directory_(user_cache()) {
  if (const std::string why = problem(directory_); !why.empty()) use_temporary(why);
}

KernelCache::~KernelCache() {
  std::error_code error;
  if (temporary_) fs::remove_all(directory_, error);
}

void KernelCache::use_temporary(const std::string& why) {
  if (directory_.empty())
    fmt::print(stderr, "bmsim: warning: no kernel cache: {}\n", why);
  else
    fmt::print(stderr, "bmsim: warning: no kernel cache in '{}': {}\n", directory_.string(), why);
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
  fs::remove_all(file, error);
  return std::nullopt;
}

fs::path KernelCache::keep(const std::string& key, const fs::path& built) {
  const std::string seal = std::string(seal_magic) + digest(read_file(built));
  std::ofstream(built, std::ios::binary | std::ios::app) << seal;
  const fs::path file = directory_ / (key + ".so");
  std::error_code error;
  fs::rename(built, file, error);
  return error ? built : file;
}

std::optional<std::string> KernelCache::load(const std::string& key) {
  const auto file = find(key);
  if (!file) return std::nullopt;
  std::string content = read_file(*file);
  content.resize(content.size() - seal_magic.size() - 32);
  return content;
}

void KernelCache::store(const std::string& key, const std::string& content) {
  const fs::path built = directory_ / fmt::format("{}.{}.part", key, getpid());
  std::ofstream(built, std::ios::binary) << content;
  keep(key, built);
}

double KernelCache::rate(const std::string& key) const {
  double rate = 0;
  std::ifstream(directory_ / (key + ".rate")) >> rate;
  return rate > 0 ? rate : 0;
}

void KernelCache::keep_rate(const std::string& key, double steps_per_second) const {
  std::ofstream(directory_ / (key + ".rate")) << steps_per_second << '\n';
}

}  // namespace bmsim
