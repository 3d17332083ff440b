// What is said of a name that there is not.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace bmsim {

/// The name among `known` that `name` is a misspelling of, or another word for ("temperature" for "T"); empty if there
/// is none.
std::string nearest_name(std::string_view name, std::span<const std::string> known);
/// "; did you mean 'velocity'?" where one is near, else "; known: velocity, diffusion", or "; known: none".
std::string suggestion(std::string_view name, std::span<const std::string> known);

}  // namespace bmsim
