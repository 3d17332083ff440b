// Suggestions for an unknown name.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace bmsim {

/// The name among `known` that `name` misspells, or is a synonym of ("temperature" for "T"); empty if there is none.
std::string nearest_name(std::string_view name, std::span<const std::string> known);
/// "; did you mean 'velocity'?" if one is near, otherwise "; known: velocity, diffusion", or "; known: none".
std::string suggestion(std::string_view name, std::span<const std::string> known);

}  // namespace bmsim
