// The kernel cache: one process, one cache, in a directory made before it is first asked for.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include "backend/cache.h"

using namespace bmsim;
namespace fs = std::filesystem;

namespace {

// $XDG_CACHE_HOME is set before KernelCache::instance() reads it; removed when the process ends.
struct CacheHome {
  CacheHome() {
    std::string name = (fs::temp_directory_path() / "bmsim-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root = name;
    setenv("XDG_CACHE_HOME", name.c_str(), 1);
  }
  ~CacheHome() {
    std::error_code ignored;
    fs::remove_all(root, ignored);
  }
  fs::path root;
};

KernelCache& cache() {
  static const CacheHome home;
  return KernelCache::instance();
}

fs::path keep(const std::string& key) {
  const fs::path built = cache().directory() / (key + ".1.so");
  std::ofstream(built) << "a kernel, " << std::string(1000, 'x');
  return cache().keep(key, built);
}

}  // namespace

TEST_CASE("Cache: its directory is the user's alone") {
  struct stat status {};
  REQUIRE(stat(cache().directory().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  CHECK_FALSE(cache().temporary());
}

TEST_CASE("Cache: what was kept is found, under its key only") {
  const fs::path file = keep("whole");
  CHECK(file == cache().directory() / "whole.so");
  CHECK(cache().find("whole") == file);
  CHECK_FALSE(cache().find("other").has_value());
}

TEST_CASE("Cache: a damaged entry is not found, and taken away") {
  const auto damaged = [](const std::string& key, auto damage) {
    const fs::path file = keep(key);
    damage(file);
    const bool found = cache().find(key).has_value();
    return !found && !fs::exists(file);
  };
  CHECK(damaged("truncated", [](const fs::path& file) { fs::resize_file(file, 500); }));
  CHECK(damaged("seal_lost", [](const fs::path& file) { fs::resize_file(file, fs::file_size(file) - 1); }));
  CHECK(damaged("empty", [](const fs::path& file) { fs::resize_file(file, 0); }));
  CHECK(damaged("longer", [](const fs::path& file) { std::ofstream(file, std::ios::app) << 'x'; }));
  CHECK(damaged("one_bit", [](const fs::path& file) {
    std::fstream io(file, std::ios::in | std::ios::out);
    io.seekp(700);
    io.put('y');
  }));
  CHECK(damaged("directory", [](const fs::path& file) {
    fs::remove(file);
    fs::create_directory(file);
  }));
}

TEST_CASE("Cache: rates are kept, and nonsense is none") {
  CHECK(cache().rate("rate") == 0);
  cache().keep_rate("rate", 2.5e9);
  CHECK(cache().rate("rate") == 2.5e9);
  std::ofstream(cache().directory() / "rate.rate") << "garbage";
  CHECK(cache().rate("rate") == 0);
}

TEST_CASE("Digest: 128-bit FNV-1a") {
  CHECK(digest("") == "6c62272e07bb014262b821756295c58d");
  CHECK(digest("a") == "d228cb696f1a8caf78912b704e4a8964");
}
