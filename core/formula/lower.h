// From an expression to the text of a device function in the kernel dialect (bmsim/plugin.h).
#pragma once
#include <string>
#include <vector>

#include "formula/expression.h"

namespace bmsim::formula {

/// What of the time the device gets for phase[i]: turns_per_time * t. Where `reduced`, only the fraction of a turn
/// matters: whole turns may come off, in double. Otherwise it is the time itself.
struct Phase {
  Expression turns_per_time;
  bool reduced;
};

/// What the texts of one formula share. Constants are computed on the host and read as p.k0, p.k1, ...
struct Shared {
  std::vector<Expression> constants;
  std::vector<Phase> phases;
};

/// The phases of the waves in t of e: the smallest set of which all others are whole multiples. To be called for every
/// expression before the first device_text.
void collect_phases(const Expression& e, std::vector<Phase>& phases);

/// The body of
///   template <class T, class P> T f(T u, const T* phase, const P& p)
/// for an expression in x, which is u, and t. `folded`: x is u - rint(u). Appends to `shared`.
std::string device_text(const Expression& e, bool folded, Shared& shared);

/// Whether the expression has period 1 in x, as far as its form shows it: x is only in waves of n x turns.
bool has_period_one(const Expression& e);

}  // namespace bmsim::formula
