// Location of CUDA's run-time compiler on this machine.
#pragma once
#include <string>

namespace bmsim::cuda {

struct Toolkit {
  std::string library;  ///< file of NVRTC
  std::string include;  ///< directory of cuRAND's device header
  /// What a cubin depends on besides source, options and architecture: file of NVRTC, its size and modification time.
  std::string identity;
};

/// Finds $BMSIM_NVRTC, or the library in the usual places of CUDA toolkits, and the header beside it. Opens neither: a
/// cached kernel does not need them, and opening takes up to 0.1 s. Throws Error (status device) if one is missing.
Toolkit find_toolkit();

}  // namespace bmsim::cuda
