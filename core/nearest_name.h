// Suggestions for an unknown name.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bmsim {

/// The name among `known` that `name` misspells, or is a synonym of ("temperature" for "T"); empty if there is none.
std::string nearest_name(std::string_view name, std::span<const std::string> known);
/// "; did you mean 'velocity'?" if one is near, otherwise "; known: velocity, diffusion", or "; known: none".
std::string suggestion(std::string_view name, std::span<const std::string> known);
/// The words of a text, with blanks between them.
std::vector<std::string> words_in(std::string_view text);

}  // namespace bmsim
