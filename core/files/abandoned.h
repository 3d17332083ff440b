// What killed processes leave behind: temporary files and directories that nobody holds the lock of.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace bmsim {

/// A part of a name that no other process has: 10 random letters and digits. Throws Error if there is no randomness.
std::string random_word();

/// Takes the lock of a file or directory that is open. False if a cleaner has removed it in the meantime. Where the
/// file system has no locks there is none, and nothing of it is ever removed.
bool lock_new(int descriptor);

/// Removes what lies in `directory` under names BEGINNING-PID-..., or BEGINNING-PID-...ENDING, if it belongs to this
/// user, nobody holds its lock, and its process is no longer there or it is older than a minute.
void remove_abandoned(const std::filesystem::path& directory, std::string_view beginning, std::string_view ending = "");

}  // namespace bmsim
