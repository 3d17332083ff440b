// Compiling for a GPU without having one: whether a text is right.
#pragma once
#include <string>

namespace bmsim::cuda {

/// Why nothing can be compiled for a GPU here, "" where it can.
std::string why_no_compiler();
/// Compiles for the newest architecture that NVRTC knows, and keeps in the cache that it does. Returns its name,
/// "compute_90".
/// Throws Error (status device) with the compiler's messages.
std::string compile_only(const std::string& source);

}  // namespace bmsim::cuda
