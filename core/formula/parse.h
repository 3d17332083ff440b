// From the text of a formula to its expression.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "formula/expression.h"

namespace bmsim::formula {

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
