// Whether a library's file is whole, before the system's loader maps it: what lies beyond its end would kill the
// process.
#pragma once
#include <filesystem>

namespace bmsim {

/// Throws Error, "FILE: cannot be loaded: it is damaged: ...", unless all that the loader will read lies where the file
/// has something: segments, the dynamic section, tables of symbols, texts and relocations. What is no library of this
/// machine's kind is left to the loader, which says so.
void check_library_file(const std::filesystem::path& file);

}  // namespace bmsim
