// Joins the files of kernels/, which include each other, into one text.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace bmsim {

/// The text of a generated file, or nothing if there is none of that name.
using GeneratedFile = std::function<std::optional<std::string>(std::string_view name)>;

/// kernels/ROOT with every #include "..." replaced by the file, each file once, under its own name and line numbers. A
/// name is looked up as by a compiler with -iquote: beside the including file, then in kernels/DIALECT, in kernels, and
/// among the generated files. #include <...> stays.
std::string flattened(std::string_view root, std::string_view dialect, const GeneratedFile& generated);

}  // namespace bmsim
