// Arguments of sin and cos in turns, and their parts.
#pragma once
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
/// The integer n with e = n * `of`, 0 if there is none. Neither expression is 0.
double whole_multiple(const Expression& e, const Expression& of);
/// sin, cos or tan.
bool is_wave(const Expression& e);

}  // namespace bmsim::formula
