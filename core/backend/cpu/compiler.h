// The system's C++ compiler, which turns a kernel source text into a shared object.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace bmsim {

class Compiler {
 public:
  /// $BMSIM_CXX, or c++, with $BMSIM_KERNEL_FLAGS as more options. Throws Error (status device) naming the package to
  /// install if there is none.
  Compiler();

  /// What its output depends on besides the source: its file, version, options, and the processor's features.
  const std::string& identity() const { return identity_; }
  /// Throws Error (status device) with the compiler's first messages, after keeping the source beside `object`.
  void compile(const std::string& source, const std::filesystem::path& object) const;

 private:
  std::filesystem::path program_;
  std::vector<std::string> options_;
  std::string identity_;
};

}  // namespace bmsim
