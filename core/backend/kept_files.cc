#include "backend/kept_files.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "error.h"
#include "files/new_file.h"

namespace bmsim {

namespace fs = std::filesystem;

void prepare_kept_files(const fs::path& directory) {
  std::error_code error;
  fs::create_directories(directory, error);
  std::error_code ignored;
  if (fs::exists(directory, ignored) && !fs::is_directory(directory, ignored))
    fail("keep_source: '{}' is not a directory", directory.string());
  if (error) fail("keep_source: cannot create the directory '{}': {}", directory.string(), error.message());
  if (access(directory.c_str(), W_OK | X_OK) != 0)
    fail("keep_source: cannot write to '{}': {}", directory.string(), std::strerror(errno));
}

KeptFiles::KeptFiles(fs::path directory, const std::string& key)
    : directory_(std::move(directory)), name_("kernel-" + key.substr(0, 12)) {}

std::string KeptFiles::write(const char* suffix, std::string_view content) const {
  write_file("keep_source", file(suffix), content, Existing::replace, Durable::no);
  return file(suffix).string();
}

void KeptFiles::copy(const char* suffix, const fs::path& from) const { write(suffix, read_file(from)); }

}  // namespace bmsim
