// What killed processes leave behind: temporary files and directories that nobody holds the lock of.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace bmsim {

/// BEGINNING-HOST-PID-RANDOM: a name that nobody guesses. Throws Error if there is no randomness.
std::string own_name(std::string_view beginning);

/// Takes the lock of a file or directory that is open. False if a cleaner has removed it in the meantime. Where the
/// file system has no locks there is none, and nothing of it is ever removed.
bool lock_new(int descriptor);

/// Removes what killed processes have left in `directory` under own_name(beginning) + ending, files, or directories for
/// the ending "": it belongs to this user, nobody holds its lock, and its process is no longer there, or it is more
/// than a day old.
void remove_abandoned(const std::filesystem::path& directory, std::string_view beginning, std::string_view ending = "");

}  // namespace bmsim
