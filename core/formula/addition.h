// Sines and cosines of sums of two terms, as networks of oscillators have them: sin(xj - xi) for all i and j.
#pragma once
#include <map>
#include <set>

#include "formula/expression.h"
#include "formula/waves.h"

namespace bmsim::formula {

/// The argument of a wave as first + second, or as first - second.
struct Addends {
  Turns first, second;
  bool minus = false;
};

/// How the waves of some expressions are computed: where many have few terms, from the waves of the terms,
///   sin(a - b) = sin a cos b - cos a sin b.
class Additions {
 public:
  /// Notes the sines and cosines in an expression.
  void note(const Expression& e);
  /// The two terms of a wave that is computed from those of its terms; null for others. The first call decides about
  /// all that were noted.
  const Addends* of(const Expression& wave);

 private:
  void decide();

  std::set<const Node*> seen_;
  std::set<Expression, Less> waves_;
  std::map<Expression, Addends, Less> addends_;
  bool decided_ = false;
};

}  // namespace bmsim::formula
