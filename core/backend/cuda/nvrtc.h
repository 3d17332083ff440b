// CUDA's run-time compiler, opened at run time: compiles a kernel source text to a cubin for one architecture.
#pragma once
#include <string>
#include <vector>

#include "backend/cuda/driver.h"

namespace bmsim::cuda {

class Nvrtc {
 public:
  /// A thread of a simple model may have so many registers (kernels/cuda/entry.h), if no more than a few bytes are left
  /// for memory. Otherwise the kernel is compiled again without a bound. On an H100 simple models are up to 11 % faster
  /// this way than with as many registers as the compiler takes by itself, or with 72 to 96, and none is slower by more
  /// than 0.4 %. The largest gains are those of two models that keep 24 and 40 bytes in memory.
  static constexpr int simple_registers = 64, bytes_left = 64;

  /// Opens $BMSIM_NVRTC, or the library in the usual places of CUDA toolkits. Throws Error (status device).
  Nvrtc();

  /// What a cubin depends on besides source and architecture: the library's file and the options. Opens nothing: that
  /// takes up to 0.1 s, and a cached kernel does not need it. Throws Error (status device) without a library.
  static std::string identity();
  /// Compiles to a cubin. architecture: 90 for sm_90. log: gets the assembler's report of registers, stack and spills.
  /// Throws Error (status device) if the architecture is unknown; or with the compiler's messages and the kept source.
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
  Symbol symbol(const char* name) const;
  void* library_;
  int (*create_)(Program*, const char*, const char*, int, const char* const*,
                 const char* const*) = symbol("nvrtcCreateProgram");
  int (*compile_)(Program, int, const char* const*) = symbol("nvrtcCompileProgram");
  int (*log_size_)(Program, size_t*) = symbol("nvrtcGetProgramLogSize");
  int (*log_)(Program, char*) = symbol("nvrtcGetProgramLog");
  int (*cubin_size_)(Program, size_t*) = symbol("nvrtcGetCUBINSize");
  int (*cubin_)(Program, char*) = symbol("nvrtcGetCUBIN");
  int (*ptx_size_)(Program, size_t*) = symbol("nvrtcGetPTXSize");
  int (*ptx_)(Program, char*) = symbol("nvrtcGetPTX");
  int (*destroy_)(Program*) = symbol("nvrtcDestroyProgram");
  int (*set_flow_callback_)(Program, int (*)(void*, void*), void*) = nullptr;  // since CUDA 12.8; null before
  int (*architecture_count_)(int*) = symbol("nvrtcGetNumSupportedArchs");
  int (*architectures_)(int*) = symbol("nvrtcGetSupportedArchs");
};

/// Reason why nothing can be compiled for a GPU here; "" if it can.
std::string why_no_compiler();
/// Compiles for the newest architecture that NVRTC knows, and notes success in the cache. Returns the name of the
/// architecture, "compute_90". Throws Error (status device) with the compiler's messages.
std::string compile_only(const std::string& source);

}  // namespace bmsim::cuda
