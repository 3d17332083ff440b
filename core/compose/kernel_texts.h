// The files of kernels/, carried inside the library.
#pragma once
#include <optional>
#include <string_view>

namespace bmsim {

/// The text of "kernels/loop.h", say; nothing if there is no such file.
std::optional<std::string_view> kernel_text(std::string_view name);

}  // namespace bmsim
