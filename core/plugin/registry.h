// The plugins that are loaded: found in shared libraries, checked field by field, one per kind and id.
#pragma once
#define BM_ABI_ONLY
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bmsim/plugin.h"

namespace bmsim {

std::string_view kind_name(uint32_t kind);  ///< "noise", "potential", "drive"
uint32_t kind_of(std::string_view name);    ///< the reverse; throws Error for an unknown name

/// A loaded plugin. The descriptor lives as long as the process.
class Plugin {
 public:
  Plugin(const bm_plugin* descriptor, std::filesystem::path file) : descriptor_(descriptor), file_(std::move(file)) {}
  const bm_plugin& operator*() const { return *descriptor_; }
  const bm_plugin* operator->() const { return descriptor_; }
  const std::filesystem::path& file() const { return file_; }
  /// "noise.poisson"
  std::string full_name() const;

 private:
  const bm_plugin* descriptor_;
  std::filesystem::path file_;
};

/// Checks every field of a descriptor before any of its functions is called. Throws Error naming file, field and rule.
void check_descriptor(const bm_plugin& descriptor, const std::filesystem::path& file);

class Registry {
 public:
  /// The process's registry: libraries stay loaded until it ends.
  static Registry& instance();

  /// Loads one library; loading the same file again does nothing. Throws Error if it cannot be loaded, is no plugin,
  /// has another ABI, breaks a rule, or takes an id that is taken (naming both files).
  const Plugin& load(const std::filesystem::path& file);
  /// Loads every *.so in a directory, in name order. No such directory: nothing to load.
  void load_directory(const std::filesystem::path& directory);

  /// Throws Error naming the nearest id and the known ones.
  const Plugin& find(uint32_t kind, std::string_view id) const;
  /// "poisson" or "noise.poisson"; throws Error when there is none, or several of the short name.
  const Plugin& find(std::string_view name) const;
  const std::vector<std::unique_ptr<Plugin>>& plugins() const { return plugins_; }

 private:
  std::vector<std::unique_ptr<Plugin>> plugins_;  // ordered by kind, then id
};

}  // namespace bmsim
