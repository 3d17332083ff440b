// Names in formulas.
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace bmsim::formula {

bool begins_name(char c);
bool continues_name(char c);
/// Throws Error if a parameter's name cannot be used in a formula, or is taken.
void check_parameters(std::span<const std::string> variables, std::span<const std::string> parameters,
                      std::string_view subject);
/// Throws Error if one of the names of a system (variables, definitions, parameters) cannot be used in a formula, or is
/// there twice.
void check_names(std::span<const std::string> names, std::string_view subject);

}  // namespace bmsim::formula
