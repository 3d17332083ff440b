// Where this machine has CUDA's run-time compiler.
#pragma once
#include <string>

namespace bmsim::cuda {

struct Toolkit {
  std::string library;  ///< NVRTC's file
  std::string include;  ///< the folder of cuRAND's device header
  /// What a cubin depends on besides source, options and architecture: the file, its size, its time of change.
  std::string identity;
};

/// $BMSIM_NVRTC, or the library where CUDA toolkits have it, and the header beside it. Opens neither, since a cached
/// kernel needs neither and opening takes up to 0.1 s. Throws Error (status device) if one is not found.
Toolkit find_toolkit();

}  // namespace bmsim::cuda
