// Names in formulas, and the nearest of those known to a misspelt one.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace bmsim::formula {

bool begins_name(char c);
bool continues_name(char c);
/// Throws Error if a parameter has no name that a formula can use, or one that is taken.
void check_parameters(std::span<const std::string> variables, std::span<const std::string> parameters,
                      std::string_view subject);
/// "; did you mean 'V1'?", or "; known: x, t, pi, V0" where none is near.
std::string suggestion(std::string_view name, std::span<const std::string> known);

}  // namespace bmsim::formula
