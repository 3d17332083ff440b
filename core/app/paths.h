// Where the program finds its Lua library and its plugins, relative to itself, or where the user says.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace bmsim::app {

/// The parts of an install (or of a build tree, which has the same layout).
struct Install {
  std::filesystem::path lua;      ///< holds bmsim/init.lua
  std::filesystem::path plugins;  ///< holds *.so
};

/// $variable/bmsim where that is an absolute path, else ~/fallback/bmsim; empty without a home.
std::filesystem::path user_directory(const char* variable, const char* fallback);

/// Finds the install from the program's own path. Throws Failure with the places searched.
Install find_install();

/// Loads plugins from `given`, $BMSIM_PLUGIN_PATH, the configuration file, the user's data directory and the install.
/// Throws Failure for a missing place and for a library that is not a plugin.
void load_plugins(const std::vector<std::string>& given, const Install& install);

}  // namespace bmsim::app
