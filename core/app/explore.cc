#include "explore.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace bmsim::app {

namespace fs = std::filesystem;

void start_explorer(const Options& options, char** argv, const Install& install) {
  if (!fs::is_regular_file(options.script)) throw Failure(fmt::format("explore: no such script: '{}'", options.script));
  const fs::path server = install.plugins.parent_path() / "explore", page = install.lua.parent_path() / "explore";
  if (!fs::exists(server) || !fs::exists(page / "chart.js"))
    throw Failure(
        "explore: this bmsim was built without it; on Debian and Ubuntu ./bootstrap explore installs what it needs "
        "(libcpp-httplib-dev, libjs-chart.js) and builds it");
  std::vector<std::string> words = {server.string(), "--port", options.port, "--page", page.string()};
  if (!options.no_browser) words.push_back("--browser");
  words.push_back("--");
  words.push_back(fs::read_symlink("/proc/self/exe").string());
  words.push_back("--explore-work");
  for (char** one = argv + 1; *one != nullptr; ++one) words.push_back(*one);
  std::vector<char*> pointers;
  for (std::string& word : words) pointers.push_back(word.data());
  pointers.push_back(nullptr);
  execv(server.c_str(), pointers.data());
  throw Failure(fmt::format("explore: cannot start '{}': {}", server.string(), std::strerror(errno)));
}

}  // namespace bmsim::app
