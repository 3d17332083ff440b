// What an expression can be within intervals of its inputs, by interval arithmetic: bounds of its values and slopes
// that no sampling could give.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "formula/program.h"

namespace bmsim::formula {

/// All numbers from low to high. Both are nan where an expression has no value.
struct Interval {
  double low = 0, high = 0;
  double width() const { return high - low; }
  double middle() const { return low + (high - low) / 2; }
  double size() const { return std::max(std::abs(low), std::abs(high)); }
  bool is_empty() const { return std::isnan(low) || std::isnan(high); }
  bool contains(double x) const { return low <= x && x <= high; }
};

struct Enclosed {
  Interval value;
  Interval slope;      ///< of the derivative on both sides of kinks, and beside jumps
  bool jumps = false;  ///< whether the value may jump, or there may be none
};

/// What one of two may be.
Enclosed either(const Enclosed& a, const Enclosed& b);

/// Places at which an expression is not defined do not count.
class Enclosure {
 public:
  /// inputs: x, t and the parameters of the program, which must live longer. varying: the numbers of those that are to
  /// be intervals.
  Enclosure(const Program& program, std::vector<double> inputs, std::vector<size_t> varying);
  /// In a box; the slope is that along one of the varying inputs, by its place in their list.
  const Enclosed& over(std::span<const Interval> box, size_t along = 0);
  const Enclosed& over(Interval only) { return over(std::span(&only, 1)); }
  /// At a point of the box, up to rounding.
  double at(std::span<const double> point);
  double at(double only) { return at(std::span(&only, 1)); }
  /// Whether the expression depends on one of the varying inputs.
  bool depends(size_t along) const;

 private:
  Enclosed computed(const Program::Operation& one) const;
  const Program& program_;
  std::vector<double> inputs_;
  std::vector<size_t> varying_;
  std::vector<size_t> changing_;  // operations that depend on varying inputs
  std::vector<Enclosed> known_;
};

}  // namespace bmsim::formula
