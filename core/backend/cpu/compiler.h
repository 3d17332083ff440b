// The system's C++ compiler, which turns a kernel source text into a shared object.
#pragma once
#include <filesystem>
#include <string>

namespace bmsim {

class Compiler {
 public:
  /// $BMSIM_CXX, or c++. Throws Error (status device) naming the package to install if there is none.
  Compiler();

  /// What its output depends on besides the source: its file, version, options, and the processor's features.
  const std::string& identity() const { return identity_; }
  /// Throws Error (status device) with the compiler's first messages, after keeping the source beside `object`.
  void compile(const std::string& source, const std::filesystem::path& object) const;

 private:
  std::filesystem::path program_;
  std::string identity_;
};

}  // namespace bmsim
