// Location of CUDA's run-time compiler on this machine.
#pragma once
#include <string>

namespace bmsim::cuda {

struct Toolkit {
  std::string library;  ///< file of NVRTC
  /// What a cubin depends on besides source, options and architecture: file of NVRTC, its size and modification time.
  std::string identity;
};

/// Finds $BMSIM_NVRTC, or the library in the usual places of CUDA toolkits. Does not open it: a cached kernel does not
/// need it, and opening takes up to 0.1 s. Throws Error (status device) if there is none.
Toolkit find_toolkit();

}  // namespace bmsim::cuda
