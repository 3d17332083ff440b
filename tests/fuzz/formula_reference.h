// Formulas as trees that a fuzzer makes, and what they are worth: an evaluator that shares nothing with core/formula.
#pragma once
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace bmsim::fuzz {

struct Tree {
  /// number, name; "neg", "plus"; "+", "-", "*", "/", "^"; "<", ">", "<=", ">="; else a function.
  std::string what;
  double number = 0;
  std::vector<std::unique_ptr<Tree>> parts{};
};

/// As the parser reads it, with no more parentheses than it needs.
std::string written(const Tree& tree);

/// A value and its derivative with respect to x. m: what terms add up to in size, so that m * epsilon is what rounding
/// may do to a sum of them in any order; e: the error that doubles may have. An unknown value is one that doubles need
/// not have: at a jump, beyond their range, or where the formula has a gap that cancelling removes.
struct Worth {
  long double v = 0, m = 0, e = 0;
  long double d = 0, dm = 0, de = 0;
  bool known = true, slope_known = true;
  long double range = 0;  ///< of logarithms of factors
};

using Values = std::map<std::string, double, std::less<>>;
Worth worth(const Tree& tree, const Values& values);

}  // namespace bmsim::fuzz
