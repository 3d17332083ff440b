// From an expression to the text of a device function in the kernel dialect (bmsim/plugin.h).
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "formula/expression.h"

namespace bmsim::formula {

/// phase[i] on the device: turns_per_time * t. If `reduced`, it is an angle, from which whole turns are removed in
/// double precision. Otherwise it is the time itself, or the mean field of this index.
struct Phase {
  Expression turns_per_time;
  bool reduced;
  int field = -1;
  bool is_time() const { return !reduced && field < 0; }
};

/// Constants and phases, shared by the texts of one formula. Constants are computed on the host and read as p.k0, p.k1,
/// ...
struct Shared {
  std::vector<Expression> constants;
  std::vector<Phase> phases;
  size_t operations = 0;  ///< of the longest text
};
/// Limits: operations of a text, whose compilation then takes about a minute, and of all texts of a model together. The
/// time grows faster than the number of operations.
constexpr size_t most_operations = 4000, most_together = 6000;
/// Throws Error if there are more operations than `most`. subject: what has them.
void check_operations(size_t operations, std::string_view subject, size_t most = most_operations);

/// Name of the position x in the expressions below for one variable. No parameter can have it.
constexpr const char* position_name = "x:";

/// Adds the phases of the waves in t in e: the smallest set of which all others are integer multiples. Call it for
/// every expression before the first device_text.
void collect_phases(const Expression& e, std::vector<Phase>& phases);

/// The body of
///   template <class T, class P> T f(T u, const T* phase, const P& p)
/// for an expression in position_name and t. The position is u, or u - rint(u) if `folded`. Appends to `shared`.
std::string device_text(const Expression& e, bool folded, Shared& shared);

/// target = value, target = target + value, or target = target + the terms of the value that are not constant.
struct Assignment {
  std::string target;
  Expression value;
  enum How { set, add, add_varying } how = set;
};
/// The constant terms of e.
Expression constant_part(const Expression& e);
/// Statements for expressions in u:0, u:1, ..., v:0, v:1, ..., the mean fields f:0, f:1, ... and t. On the device these
/// are u[0], ..., v[0], ... and phases. What the expressions have in common is computed once.
std::string device_statements(const std::vector<Assignment>& assignments, Shared& shared);

/// Whether the expression has period 1 in x, as far as its form shows: x occurs only in waves of n x turns.
bool has_period_one(const Expression& e);

}  // namespace bmsim::formula
