// A directory of its own, removed at the end.
#pragma once
#include <doctest/doctest.h>

#include <cstdlib>
#include <filesystem>
#include <iterator>
#include <string>

namespace bmsim::test {

struct Workplace {
  Workplace() {
    std::string name = (std::filesystem::temp_directory_path() / "bmsim-test-XXXXXX").string();
    REQUIRE(mkdtemp(name.data()) != nullptr);
    root = name;
  }
  ~Workplace() { std::filesystem::remove_all(root); }
  Workplace(const Workplace&) = delete;
  Workplace& operator=(const Workplace&) = delete;
  std::string file(const char* name) const { return (root / name).string(); }
  auto count() const { return std::distance(std::filesystem::directory_iterator(root), {}); }
  std::filesystem::path root;
};

}  // namespace bmsim::test
