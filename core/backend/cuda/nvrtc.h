// CUDA's run-time compiler, opened at run time: compiles a kernel source text to a cubin for one architecture.
#pragma once
#include <string>
#include <vector>

namespace bmsim::cuda {

class Nvrtc {
 public:
  /// A thread of a simple model may have so many registers (kernels/cuda/entry.h), if no more than a few bytes are left
  /// for memory. Otherwise the kernel is compiled again without a bound. On an H100 simple models are up to 11 % faster
  /// this way than with as many registers as the compiler takes by itself, or with 72 to 96, and none is slower by more
  /// than 0.4 %. The largest gains are those of two models that keep 24 and 40 bytes in memory.
  static constexpr int simple_registers = 64, bytes_left = 64;

  /// Opens the library of find_toolkit(). Throws Error (status device) if there is none or it is no NVRTC.
  Nvrtc();

  /// What a cubin depends on besides source and architecture: the library's file and the options. Opens nothing.
  static std::string identity();
  /// Compiles to a cubin. architecture: 90 for sm_90. log: if given, gets the assembler's report of registers, stack
  /// and spills. Throws Error (status device) if the architecture is unknown; or with the compiler's messages and the
  /// place where the source was kept.
  std::string compile(const std::string& source, int architecture, std::string* log = nullptr) const;
  /// The same kernel as readable PTX. Throws like compile.
  std::string ptx(const std::string& source, int architecture) const;
  /// Architectures it can compile for, ascending.
  std::vector<int> architectures() const;

 private:
  using Program = struct ProgramTag*;
  /// A compiled program, which holds its output.
  class Compilation;
  void check(const Compilation& compilation, const std::string& source, int architecture) const;
  void* library_ = nullptr;
  int (*create_)(Program*, const char*, const char*, int, const char* const*, const char* const*) = nullptr;
  int (*compile_)(Program, int, const char* const*) = nullptr;
  int (*log_size_)(Program, size_t*) = nullptr;
  int (*log_)(Program, char*) = nullptr;
  int (*cubin_size_)(Program, size_t*) = nullptr;
  int (*cubin_)(Program, char*) = nullptr;
  int (*ptx_size_)(Program, size_t*) = nullptr;
  int (*ptx_)(Program, char*) = nullptr;
  int (*destroy_)(Program*) = nullptr;
  int (*set_flow_callback_)(Program, int (*)(void*, void*), void*) = nullptr;  // since CUDA 12.8; null before
  int (*architecture_count_)(int*) = nullptr;
  int (*architectures_)(int*) = nullptr;
};

}  // namespace bmsim::cuda
