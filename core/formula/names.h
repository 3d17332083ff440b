// Names in formulas.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bmsim::formula {

bool begins_name(char c);
bool continues_name(char c);
/// Letters, digits and '_', no digit first.
bool is_name(std::string_view word);
/// All names in a text that stand for numbers, each once, in the order in which they occur first. A name before '(' is
/// that of a function and left out.
std::vector<std::string> names_in(std::string_view text);
/// Limits: parameters of a formula or a system; definitions of a system, which are names that stand for formulas.
constexpr size_t most_parameters = 1000, most_definitions = 256;
/// Throws Error if a parameter's name cannot be used in a formula, or has another meaning.
void check_parameters(std::span<const std::string> variables, std::span<const std::string> parameters,
                      std::string_view subject);
/// Throws Error if a name of a system (variable, definition, parameter) cannot be used in a formula, or is there twice.
void check_names(std::span<const std::string> names, std::string_view subject);

}  // namespace bmsim::formula
