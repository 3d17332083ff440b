// The files of kernels/, embedded in the library.
#pragma once
#include <optional>
#include <string_view>

namespace bmsim {

/// Text of a file such as "kernels/loop.h"; nothing if there is no such file.
std::optional<std::string_view> kernel_text(std::string_view name);

}  // namespace bmsim
