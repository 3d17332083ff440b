// The plugins that are loaded: found in shared libraries, checked field by field, one per kind and id.
#pragma once
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

#include "plugin/plugin.h"

namespace bmsim {

/// The part of a descriptor that this host knows. The descriptor may be shorter or longer; fields that it does not have
/// are null. Throws Error if it is not a descriptor, or has another major version of the ABI.
bm_plugin known_part(const bm_plugin& descriptor, const std::filesystem::path& file);
/// Checks every field of a known part before any of its functions is called. Throws Error naming file, field and rule.
void check_descriptor(const bm_plugin& descriptor, const std::filesystem::path& file);

/// Throws Error, "FILE: cannot be loaded: it is damaged: it ends too early", if a segment of a library lies beyond the
/// end of its file, which would kill the process that maps it. Nothing else is checked: a plugin has the rights of its
/// user, and `plugin check` runs in a process of its own. What is no library of this machine is left to the loader.
void check_library_file(const std::filesystem::path& file);

/// May be used by several threads at once; a plugin that was returned is never changed.
class Registry {
 public:
  /// The process's registry: libraries stay loaded until it ends.
  static Registry& instance();

  /// Loads one library; loading the same file again does nothing. Throws Error if it cannot be loaded, is no plugin,
  /// has another ABI, breaks a rule, or takes an id that is taken (naming both files).
  const Plugin& load(const std::filesystem::path& file);
  /// Loads every *.so in a directory, in name order. A missing directory has nothing to load.
  void load_directory(const std::filesystem::path& directory);
  /// Keeps a plugin made at run time until the process ends. It is not among plugins(), and not found by id.
  const Plugin& adopt(std::unique_ptr<Plugin> plugin);

  /// Throws Error naming the nearest id and the known ones.
  const Plugin& find(uint32_t kind, std::string_view id) const;
  /// "poisson" or "noise.poisson"; throws Error when there is none, or several of the short name.
  const Plugin& find(std::string_view name) const;
  /// The plugins loaded now, ordered by kind, then id.
  std::vector<const Plugin*> plugins() const;

 private:
  mutable std::mutex mutex_;                      // guards the members below
  std::vector<std::unique_ptr<Plugin>> plugins_;  // ordered by kind, then id
  std::map<const void*, const Plugin*> loaded_;   // by the descriptor in the library
  std::vector<std::unique_ptr<Plugin>> adopted_;
};

}  // namespace bmsim
