// The system's C++ compiler, which turns a kernel source text into a shared object.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace bmsim {

class Compiler {
 public:
  /// Finds $BMSIM_CXX or c++; words of $BMSIM_KERNEL_FLAGS are additional options. If there is none, throws Error
  /// (status device) with the package to install.
  Compiler();

  /// What its output depends on besides the source: file and version of the compiler, options, features of the
  /// processor.
  const std::string& identity() const { return identity_; }
  /// Throws Error (status device) with the compiler's first messages, after keeping the source beside `object`.
  void compile(const std::string& source, const std::filesystem::path& object) const;

 private:
  std::filesystem::path program_;
  std::vector<std::string> options_;
  std::string identity_;
};

}  // namespace bmsim
