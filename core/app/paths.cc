// Search paths: --plugin-path, $BMSIM_PLUGIN_PATH, $XDG_CONFIG_HOME/bmsim/config.yaml, $XDG_DATA_HOME/bmsim/plugins,
// the install.
#include "paths.h"

#include <fmt/format.h>

#include <cstdio>
#include <cstdlib>

#include "failure.h"
#include "options.h"
#include "yaml.h"

namespace bmsim::app {
namespace {

namespace fs = std::filesystem;

// A place that the user named; `origin` says where it was named, for messages.
void load_place(const fs::path& place, const std::string& origin) {
  std::error_code error;
  const auto status = fs::status(place, error);
  if (error && status.type() != fs::file_type::not_found)
    throw Failure(fmt::format("{}: {}: {}", origin, place.string(), error.message()));
  if (!fs::exists(status)) throw Failure(fmt::format("{}: no such file or directory: {}", origin, place.string()));
  check(fs::is_directory(status) ? bm_plugin_load_directory(place.c_str()) : bm_plugin_load(place.c_str()));
}

std::vector<std::string> configured_plugin_path(const fs::path& file) {
  std::vector<std::string> places;
  const YAML::Node root = load_yaml_file(file.string());
  if (root.IsNull()) return places;
  if (!root.IsMap()) throw Failure(fmt::format("{}: must be a map of settings", file.string()));
  for (const auto& entry : root) {
    const auto key = entry.first.as<std::string>();
    if (key != "plugin_path")
      throw Failure(fmt::format("{}: unknown key '{}'; known: plugin_path", file.string(), key));
    places = entry.second.IsScalar() ? split_path(entry.second.as<std::string>())
                                     : entry.second.as<std::vector<std::string>>();
  }
  return places;
}

// Whether a file or directory of the user exists. A home that cannot be searched is a warning, no error.
bool is_there(const fs::path& place) {
  std::error_code error;
  if (place.empty() || fs::exists(place, error)) return !place.empty();
  if (error) say(stderr, "{}", printable(fmt::format("bmsim: {}: {}\n", place.string(), error.message())));
  return false;
}

void load_configured() {
  const auto directory = user_directory("XDG_CONFIG_HOME", ".config");
  const auto file = directory / "config.yaml";
  if (directory.empty() || !is_there(file)) return;
  if (!fs::is_regular_file(file)) throw Failure(fmt::format("{}: must be a regular file", file.string()));
  try {
    for (const auto& place : configured_plugin_path(file)) load_place(directory / place, file.string());
  } catch (const YAML::Exception& error) {
    throw Failure(fmt::format("{}:{}: {}", file.string(), error.mark.line + 1, error.msg));
  }
}

}  // namespace

fs::path user_directory(const char* variable, const char* fallback) {
  const char* directory = std::getenv(variable);
  if (directory != nullptr && fs::path(directory).is_absolute()) return fs::path(directory) / "bmsim";
  const char* home = std::getenv("HOME");
  if (home == nullptr || *home == '\0') return {};
  return fs::path(home) / fallback / "bmsim";
}

Install find_install() {
  std::error_code error;
  const auto program = fs::read_symlink("/proc/self/exe", error);
  if (error) throw Failure("bmsim: cannot read its own path from /proc/self/exe: " + error.message());
  const auto prefix = program.parent_path().parent_path();  // it lies in PREFIX/bin
  const auto lua = prefix / BMSIM_DATADIR / "lua";
  if (!fs::exists(lua / "bmsim" / "init.lua"))
    throw Failure(fmt::format("bmsim: its Lua library is missing: no {}/lua/bmsim/init.lua in {}", BMSIM_DATADIR,
                              prefix.string()));
  auto plugins = prefix / BMSIM_LIBDIR / "bmsim" / "plugins";
  if (!fs::exists(plugins)) plugins = prefix / "lib" / "bmsim" / "plugins";
  return {lua, plugins};
}

void load_plugins(const std::vector<std::string>& given, const Install& install) {
  for (const auto& list : given)
    for (const auto& place : split_path(list)) load_place(place, "--plugin-path");
  if (const char* list = std::getenv("BMSIM_PLUGIN_PATH"))
    for (const auto& place : split_path(list)) load_place(place, "BMSIM_PLUGIN_PATH");
  load_configured();
  const auto data = user_directory("XDG_DATA_HOME", ".local/share");
  if (!data.empty() && is_there(data / "plugins")) check(bm_plugin_load_directory((data / "plugins").c_str()));
  load_place(install.plugins, "bmsim: its plugins are missing");
}

}  // namespace bmsim::app
