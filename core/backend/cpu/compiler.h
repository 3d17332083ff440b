// The system's C++ compiler, which turns a kernel source text into a shared object.
#pragma once
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace bmsim {

class Compiler {
 public:
  /// Finds $BMSIM_CXX or c++; $BMSIM_KERNEL_FLAGS adds options. brief: for kernels of short runs, compiled with -O2 in
  /// place of -O3. Throws Error (status device) with what to install.
  explicit Compiler(bool brief = false);

  /// What its output depends on besides the source: file, version and options of it, features of the processor.
  const std::string& identity() const { return identity_; }
  /// Compiles a source to `object`, with other files beside it for a while. Throws Error (status device) with the
  /// compiler's first messages, and with what keep_source() says of where it has kept the source.
  void compile(const std::string& source, const std::filesystem::path& object,
               const std::function<std::string()>& keep_source) const;

 private:
  std::filesystem::path program_;
  std::vector<std::string> options_;
  std::string identity_;
};

}  // namespace bmsim
