// Whether a library's file is whole, before the system's loader maps it: what lies beyond its end would kill the
// process.
#pragma once
#include <filesystem>

namespace bmsim {

/// Throws Error, "FILE: cannot be loaded: it is damaged: it ends too early", if a segment lies beyond the end. Nothing
/// else is checked: a plugin has the rights of its user, and `plugin check` runs in a process of its own. A file that
/// is no library of this machine's kind is left to the loader, which says so.
void check_library_file(const std::filesystem::path& file);

}  // namespace bmsim
