// Kernels kept for the user to look at (--keep-source): the source text, and what it was compiled to.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>

namespace bmsim {

/// Creates the directory if necessary. Throws Error if it is no directory or cannot be written to.
void prepare_kept_files(const std::filesystem::path& directory);

/// Files of one kernel in the directory: "kernel-KEY.cu" and the like, where KEY is the beginning of its cache key.
class KeptFiles {
 public:
  KeptFiles(std::filesystem::path directory, const std::string& key);
  /// suffix: ".cu". Returns the name of the file. Throws Error if it cannot be written.
  std::string write(const char* suffix, std::string_view content) const;
  void copy(const char* suffix, const std::filesystem::path& from) const;

 private:
  std::filesystem::path file(const char* suffix) const { return directory_ / (name_ + suffix); }
  std::filesystem::path directory_;
  std::string name_;
};

}  // namespace bmsim
