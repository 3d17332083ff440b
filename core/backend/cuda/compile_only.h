// Compiling for a GPU without having one, to test whether a text is valid.
#pragma once
#include <string>

namespace bmsim::cuda {

/// Reason why nothing can be compiled for a GPU here; "" if it can.
std::string why_no_compiler();
/// Compiles for the newest architecture that NVRTC knows, and notes success in the cache. Returns the name of the
/// architecture, "compute_90". Throws Error (status device) with the compiler's messages.
std::string compile_only(const std::string& source);

}  // namespace bmsim::cuda
