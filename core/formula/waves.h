// Arguments of sin and cos in turns, and their parts.
#pragma once
#include <vector>

#include "formula/expression.h"

namespace bmsim::formula {

/// Whether neither x nor t occurs, nor a variable of a system as kernels know it (u:0, v:0), nor a mean field (f:0),
/// nor a function of t (w:0).
bool is_constant(const Expression& e);
/// A product as its constant factor, number included, times the product of the other factors.
struct Split {
  Expression constant, varying;
};
Split split(const Expression& e);

/// argument / (2 pi) = waves + frequency * t + offset, where frequency and offset are constant, and `waves` are the
/// other terms.
struct Turns {
  Expression waves, frequency, offset;
};
Turns turns(const Expression& argument);

/// Whether e has nothing but numbers and pi.
bool is_literal(const Expression& e);
/// A constant without its whole turns, which cost precision.
Expression without_whole(const Expression& turns);

/// e with marks on sums in which whole turns of t count for nothing: t - P*floor(t/P) + c, as mod(t, P) is written.
/// device_text takes such turns off in double precision. Other sums stay, and values do not change.
Expression with_turns_marked(const Expression& e);
/// Whether e is a marked sum.
bool is_marked(const Expression& e);
/// A term of a marked sum: factor * floor(argument), where the argument grows with t. The other terms are a constant
/// times t, which the floors take back: sum of factor * argument.frequency.
struct Floor {
  Expression factor;
  Turns argument;
};
std::vector<Floor> marked_floors(const Expression& e);

/// The integer n with e = n * unit, 0 if there is none. Neither expression is 0.
double whole_multiple(const Expression& e, const Expression& unit);
/// Whether e is a sin, cos or tan.
bool is_wave(const Expression& e);

}  // namespace bmsim::formula
