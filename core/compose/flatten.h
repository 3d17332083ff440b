// Joins the files of kernels/, which include each other, into one text.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace bmsim {

/// The text of a generated file, or nothing if there is none of that name.
using GeneratedFile = std::function<std::optional<std::string>(std::string_view name)>;

/// kernels/ROOT with every #include "..." replaced by the file, each once, under its own name and line numbers. Looked
/// up as by a compiler with -iquote: beside the including file, in kernels/DIALECT, kernels, and the generated files.
std::string flattened(std::string_view root, std::string_view dialect, const GeneratedFile& generated);

/// Text of a file such as "kernels/loop.h"; nothing if there is no such file.
std::optional<std::string_view> kernel_text(std::string_view name);

}  // namespace bmsim
