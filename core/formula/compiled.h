// A user's formula, compiled to what a model needs from a potential or a drive.
//
// A component made of a formula is a plugin without a file. Its kernel namespace holds
//   template <class T, class P> BM_FN T energy(T u, const T* phase, const P& p) { <energy_text> }     potentials only
//   template <class T, class P> BM_FN T force(T u, const T* phase, const P& p) { <force_text> }       a drive has no u
// P has the members k0, k1, ... of type real, the constant_values() at a point of the sweep. phase[i] is the phase
// phases[i].turns_per_time * t (see frequencies()), without whole turns if `reduced`; a formula without phases needs no
// argument `phase`. The texts depend only on the formula and the names of the parameters, never on values, so that a
// sweep compiles once.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "formula/expression.h"
#include "formula/lower.h"

namespace bmsim::formula {

struct Compiled {
  /// Expressions in x, t and the parameters, for double precision: the formula as given; and the force, which is -dV/dx
  /// for a potential, and the formula itself for a drive. Not folded.
  Expression formula, force;
  std::string energy_text, force_text;
  std::vector<Expression> constants;
  std::vector<Phase> phases;
  size_t operations = 0;  ///< of force_text
  /// Potentials: whether L is a parameter, so that u = x / L; otherwise u = x.
  bool periodic = false;
  /// Potentials with L: whether the form of the formula does not show that period, as with exp(-x^2). Then its part on
  /// [-L/2, L/2) is repeated, whether the ends meet or not.
  bool folded = false;
  /// Potentials: whether V' is continuous, as far as the form of the expression shows: no abs, sign, min, max or floor
  /// of x, and not folded.
  bool smooth = true;
};

/// V(x), in x, t and the parameters `names`; "L" among them is the period and need not occur in the formula. Throws
/// Error as parse() does; `subject` begins the message.
Compiled compile_potential(std::string_view text, std::span<const std::string> names,
                           std::string_view subject = "potential.formula");
/// F(t), in t and the parameters `names`.
Compiled compile_drive(std::string_view text, std::span<const std::string> names,
                       std::string_view subject = "drive.formula");

/// A condition that decides between the branches of an expression. The branch changes only where `argument` passes 0
/// or, if `whole`, any integer.
struct Switch {
  Expression argument;
  bool whole = false;
};
/// The switches of every abs, sign, min, max and floor of x, or of any of the names, in e, each once.
std::vector<Switch> switches(const Expression& e);
std::vector<Switch> switches(const Expression& e, std::span<const std::string> names);

/// k0, k1, ... at the values of the parameters. Throws Error if one is not finite:
/// "potential.formula: -2*V0*pi/L must be finite, got inf".
std::vector<double> constant_values(const Compiled& compiled, const Lookup& parameters, std::string_view subject);
/// turns_per_time of every phase, 1 for the time itself.
std::vector<double> frequencies(const std::vector<Phase>& phases, const Lookup& parameters);
/// The shortest 1/|frequency| of the reduced phases, INFINITY for none: a drive's time scale. Harmonics share the phase
/// of their fundamental and do not count.
double shortest_period(const std::vector<Phase>& phases, const Lookup& parameters);

/// formula or force at x and t, on the host; x is folded as on the device.
double energy_at(const Compiled& compiled, double x, double t, const Lookup& parameters);
double force_at(const Compiled& compiled, double x, double t, const Lookup& parameters);

}  // namespace bmsim::formula
