// What killed processes leave behind: temporary files and directories whose lock nobody holds.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace bmsim {

/// A name BEGINNING-HOST-PID-RANDOM, which nobody can guess. Throws Error if there is no randomness.
std::string own_name(std::string_view beginning);

/// Takes the lock of an open file or directory. False if a cleaner has removed the file in the meantime. On a file
/// system without locks nothing is locked, and nothing is ever removed.
bool lock_new(int descriptor);

/// Removes what killed processes have left in `directory` under own_name(beginning) + ending: files, or directories if
/// the ending is "". They belong to this user, nobody holds their lock, and their process is no longer there, or they
/// are more than a day old.
void remove_abandoned(const std::filesystem::path& directory, std::string_view beginning, std::string_view ending = "");

}  // namespace bmsim
