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
/// All names in a text that stand for numbers, each once, in the order in which they occur first. One with '(' after it
/// is a function, and left out.
std::vector<std::string> names_in(std::string_view text);
/// Of the parameters of a formula or a system; and of the names of a system that stand for formulas.
constexpr size_t most_parameters = 1000, most_definitions = 256;
/// Throws Error if a parameter's name cannot be used in a formula, or is taken.
void check_parameters(std::span<const std::string> variables, std::span<const std::string> parameters,
                      std::string_view subject);
/// Throws Error if one of the names of a system (variables, definitions, parameters) cannot be used in a formula, or is
/// there twice.
void check_names(std::span<const std::string> names, std::string_view subject);

}  // namespace bmsim::formula
