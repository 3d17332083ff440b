// Arguments of sin and cos in turns, and their parts.
#pragma once
#include <vector>

#include "formula/expression.h"

namespace bmsim::formula {

/// Whether neither x nor t occurs, nor a variable of a system as kernels know it (u:0, v:0), nor a mean field (f:0),
/// nor a function of t (w:0).
bool is_constant(const Expression& e);
/// The constant factor of a product, number included, and the product of the others.
struct Split {
  Expression constant, other;
};
Split split(const Expression& e);

/// argument / (2 pi) = waves + frequency * t + offset: frequency and offset are constant, and `waves` are the other
/// terms.
struct Turns {
  Expression waves, frequency, offset;
};
Turns turns(const Expression& argument);
/// argument = waves + frequency * t + offset, the same of an argument that is in turns.
Turns in_turns(const Expression& argument);

/// Whether e has one value: only numbers and pi.
bool is_literal(const Expression& e);
/// A constant less its whole turns, which cost precision.
Expression without_whole(const Expression& turns);

/// e with every sum marked in which whole turns of t count for nothing, t - P*floor(t/P) + c, as mod(t, P) is written:
/// device_text takes such turns off in double precision. Other sums are as they were, and values are the same.
Expression with_turns_marked(const Expression& e);
/// Whether e is such a sum.
bool is_marked(const Expression& e);
/// Its terms: factor * floor(argument), where the argument grows with t. The others are a constant times t, which the
/// floors take back: sum of factor * argument.frequency.
struct Floor {
  Expression factor;
  Turns argument;
};
std::vector<Floor> marked_floors(const Expression& e);

/// The integer n with e = n * `of`, 0 if there is none. Neither expression is 0.
double whole_multiple(const Expression& e, const Expression& of);
/// sin, cos or tan.
bool is_wave(const Expression& e);

}  // namespace bmsim::formula
