// The kernel cache: what is kept is found, what is damaged is not, and a cache that cannot be used stops nothing.
#include <doctest/doctest.h>
#include <fmt/format.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "backend/cache.h"
#include "backend/warn.h"

using namespace bmsim;
namespace fs = std::filesystem;

namespace {

// A directory that is removed in the end.
struct Directory {
  explicit Directory(const char* what) {
    std::string name = (fs::temp_directory_path() / fmt::format("bmsim-test-{}-XXXXXX", what)).string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root = name;
  }
  ~Directory() {
    std::error_code ignored;
    fs::remove_all(root, ignored);
  }
  fs::path root;
};

/// The user's cache. $XDG_CACHE_HOME is set before it reads it.
KernelCache& cache() {
  static const Directory home("home");
  setenv("XDG_CACHE_HOME", home.root.c_str(), 1);
  return KernelCache::instance();
}

fs::path keep(const std::string& key) {
  const fs::path built = cache().directory() / (key + ".built");
  std::ofstream(built) << "a kernel, " << std::string(1000, 'x');
  REQUIRE(cache().keep(key, built));
  return cache().directory() / (key + ".kernel");
}

/// A directory for one test, which another user may enter.
struct Place : Directory {
  Place() : Directory("place") { fs::permissions(root, fs::perms(0711)); }
  fs::path directory(int mode) const {
    fs::create_directory(root / "bmsim");
    REQUIRE(chmod((root / "bmsim").c_str(), static_cast<mode_t>(mode)) == 0);
    return root / "bmsim";
  }
};

/// What is warned of in `action`, a line each.
template <class Action> std::string warned_of(Action&& action) {
  std::string lines;
  const WarningScope scope([&](const std::string& text) { lines += text + "\n"; });
  action();
  return lines;
}

bool one_line_with(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos && std::count(text.begin(), text.end(), '\n') == 1;
}

/// The life of a cubin in a cache that cannot use its directory: one warning, and it works.
void check_goes_on(const fs::path& directory, const std::string& reason) {
  const std::string text = warned_of([&] {
    KernelCache other(directory);
    CHECK(other.temporary());
    CHECK(other.store("cubin", "content"));
    CHECK(other.load("cubin") == "content");
  });
  INFO(text);
  CHECK(one_line_with(text, reason));
  CHECK(text.find(directory.string()) != std::string::npos);
}

/// Files may not grow, as on a full device, as long as this lives.
struct FullDisk {
  explicit FullDisk(rlim_t bytes) : handler(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before);
    const rlimit limit{bytes, before.rlim_max};
    REQUIRE(setrlimit(RLIMIT_FSIZE, &limit) == 0);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before);
    std::signal(SIGXFSZ, handler);
  }
  rlimit before{};
  void (*handler)(int);
};

}  // namespace

TEST_CASE("Cache: its directory is the user's alone") {
  struct stat status {};
  REQUIRE(stat(cache().directory().c_str(), &status) == 0);
  CHECK((status.st_mode & 0777) == 0700);
  CHECK_FALSE(cache().temporary());
}

TEST_CASE("Cache: what was kept is found, under its key only") {
  const fs::path file = keep("whole");
  CHECK(file == cache().directory() / "whole.kernel");
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

TEST_CASE("Cache: a kernel that was copied over another is not trusted") {
  const fs::path one = keep("one"), other = keep("other_one");
  fs::copy_file(one, other, fs::copy_options::overwrite_existing);
  CHECK_FALSE(cache().find("other_one").has_value());
  CHECK(cache().find("one").has_value());
}

TEST_CASE("Cache: a symbolic link leads to it, and its removal between two kernels is no error") {
  const Place place;
  fs::create_directory_symlink(place.directory(0700), place.root / "link");
  KernelCache own(place.root / "link");
  CHECK_FALSE(own.temporary());
  CHECK(own.store("cubin", "content"));
  CHECK(fs::exists(place.root / "bmsim/cubin.kernel"));
  KernelCache gone(place.root / "gone");
  fs::remove_all(place.root / "gone");
  CHECK(fs::is_directory(gone.workshop()->path()));
  CHECK(gone.store("cubin", "content"));
}

TEST_CASE("Cache: beyond its size the kernels go that were not used for the longest time; old sources and logs, too") {
  const Place place;
  setenv("BMSIM_CACHE_MB", "0.0025", 1);
  KernelCache own(place.directory(0700));
  const auto age = [&](const char* file, int hours) {
    fs::last_write_time(own.directory() / file, fs::file_time_type::clock::now() - std::chrono::hours(hours));
  };
  for (const char* file : {"left.123.0.so", "left.cc", "young.cc"}) std::ofstream(own.directory() / file) << "text";
  age("left.123.0.so", 200);
  age("left.cc", 200);
  const std::string content(900, 'x');
  REQUIRE(own.store("first", content));
  REQUIRE(own.store("second", content));
  age("first.kernel", 3);
  age("second.kernel", 2);
  REQUIRE(own.find("first").has_value());  // used now
  REQUIRE(own.store("third", content));
  CHECK(own.load("first") == content);
  CHECK_FALSE(own.load("second").has_value());
  CHECK(own.load("third") == content);
  CHECK(fs::exists(own.directory() / "young.cc"));
  CHECK(std::distance(fs::directory_iterator(own.directory()), fs::directory_iterator()) == 3);
  CHECK(own.show().find("kernels    2\n") != std::string::npos);
  CHECK(own.clear().starts_with("removed    0.0 MB"));
  CHECK(fs::is_empty(own.directory()));
  const std::string text = warned_of([&] {
    setenv("BMSIM_CACHE_MB", "much", 1);
    CHECK(own.store("first", content));
  });
  CHECK(one_line_with(text, "BMSIM_CACHE_MB must be a number >= 0, got 'much'"));
  unsetenv("BMSIM_CACHE_MB");
}

TEST_CASE("Cache: a cubin comes back as it was, and a truncated one is not trusted, with one warning") {
  const Place place;
  KernelCache own(place.directory(0700));
  const std::string cubin("cubin\0 and so on\0", 17);
  REQUIRE(own.store("cubin", cubin));
  CHECK(own.load("cubin") == cubin);
  CHECK_FALSE(own.load("other").has_value());
  const fs::path file = own.directory() / "cubin.kernel";
  const std::string text = warned_of([&] {
    for (const int bytes : {30, 5, 0}) {
      fs::resize_file(file, static_cast<uintmax_t>(bytes));
      CHECK_FALSE(own.load("cubin").has_value());
      CHECK_FALSE(fs::exists(file));
      CHECK(own.store("cubin", cubin));
      CHECK(own.load("cubin") == cubin);
    }
  });
  INFO(text);
  CHECK(one_line_with(text, "cubin.kernel' is damaged and is built anew"));
}

TEST_CASE("Cache: a directory that others can write to is not used, with one warning") {
  const Place place;
  check_goes_on(place.directory(0777), "other users can write to it");
  check_goes_on(place.directory(0770), "other users can write to it");
}

TEST_CASE("Cache: a file in the place of the directory, or above it, with one warning") {
  const Place place;
  std::ofstream(place.root / "file") << "x";
  check_goes_on(place.root / "file", "it is not a directory");
  check_goes_on(place.root / "file/bmsim", "cannot create it: Not a directory");
}

TEST_CASE("Cache: a directory of another user is not used, nor one that is read-only, with one warning") {
  constexpr uid_t nobody = 65534;
  const bool root = geteuid() == 0;  // for whom nothing is read-only, but who can be somebody else for a while
  const Place place;
  const fs::path directory = place.directory(0500);
  if (root) {
    REQUIRE(chmod(place.root.c_str(), 0777) == 0);
    REQUIRE(seteuid(nobody) == 0);
    check_goes_on(directory, "another user owns it");
    REQUIRE(seteuid(0) == 0);
    REQUIRE(chown(directory.c_str(), nobody, nobody) == 0);
    REQUIRE(seteuid(nobody) == 0);
  } else {
    MESSAGE("not root: a foreign directory is not tried");
  }
  check_goes_on(directory, "it cannot be written to: Permission denied");
  if (root) REQUIRE(seteuid(0) == 0);
}

TEST_CASE("Cache: a full directory is not used, with one warning") {
  const Place place;
  const FullDisk full(10000);
  check_goes_on(place.directory(0700), "there is no room for a kernel");
}

TEST_CASE("Cache: what no longer fits is not kept, and nothing of it is left, with one warning") {
  const Place place;
  KernelCache own(place.directory(0700));
  REQUIRE_FALSE(own.temporary());
  const std::string text = warned_of([&] {
    const FullDisk full(1000);
    CHECK_FALSE(own.store("large", std::string(5000, 'x')));
    CHECK_FALSE(own.store("larger", std::string(6000, 'x')));
    CHECK_FALSE(own.store("just", std::string(980, 'x')));  // the seal does not fit
    CHECK(own.store("small", "content"));
  });
  INFO(text);
  CHECK(one_line_with(text, (own.directory() / "large.kernel").string() + "': File too large; the kernel is not kept"));
  CHECK_FALSE(own.load("large").has_value());
  CHECK(own.load("small") == "content");
  CHECK(std::distance(fs::directory_iterator(own.directory()), fs::directory_iterator()) == 1);
}

TEST_CASE("Cache: rates are kept, and nonsense is none") {
  CHECK(cache().rate("rate") == 0);
  cache().keep_rate("rate", 2.5e9);
  CHECK(cache().rate("rate") == 2.5e9);
  std::ofstream(cache().directory() / "rate.rate") << "garbage";
  CHECK(cache().rate("rate") == 0);
  REQUIRE(mkfifo((cache().directory() / "fifo.rate").c_str(), 0600) == 0);  // nobody waits for who writes to it
  CHECK(cache().rate("fifo") == 0);
}

TEST_CASE("Digest: of texts of any length, and of no two the same") {
  std::set<std::string> all;
  size_t texts = 0;
  for (size_t length = 0; length < 40; ++length) {
    std::string text(length, '\0');
    all.insert(digest(text)), ++texts;
    for (size_t bit = 0; bit < 8 * length; ++bit) {
      text[bit / 8] = static_cast<char>(text[bit / 8] ^ (1 << bit % 8));
      CHECK(digest(text).size() == 32);
      all.insert(digest(text)), ++texts;
      text[bit / 8] = '\0';
    }
  }
  CHECK(all.size() == texts);
}
