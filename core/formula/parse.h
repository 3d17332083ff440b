// From the text of a formula to its names and its expression.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formula/expression.h"

namespace bmsim::formula {

/// Letters, digits and '_', no digit first.
bool is_name(std::string_view word);
/// All names in a text that stand for numbers, each once, in the order in which they occur first. A name before '(' is
/// that of a function and left out.
std::vector<std::string> names_in(std::string_view text);
/// Limits: parameters of a formula or a system; definitions of a system, which are names that stand for formulas.
constexpr size_t most_parameters = 1000, most_definitions = 256;
/// Throws Error if a name of a system (variable, definition, parameter) cannot be used in a formula, or is there twice.
void check_names(std::span<const std::string> names, std::string_view subject);

/// Parses + - * / ^ (from right to left, and before a sign: -x^2 is -(x^2)), < > <= >=, parentheses, numbers, the
/// functions of functions.h, `variables`, `parameters` and pi. Every parameter must occur, except those in `optional`.
/// Throws Error with three lines: what is wrong, the formula, and a caret under the place. `subject` begins the first:
///
///   potential.formula: unknown name 'V2'; did you mean 'V1'?
///     V0*sin(x) + V2*cos(x)
///                 ^
Expression parse(std::string_view formula, std::span<const std::string> variables,
                 std::span<const std::string> parameters, std::span<const std::string> optional,
                 std::string_view subject);

/// Throws Error if a formula is too long for parse().
void check_length(std::string_view formula, std::string_view subject);
/// The beginning of a formula, for messages.
std::string shortened(std::string_view formula);

}  // namespace bmsim::formula
