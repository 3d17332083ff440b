// Bounds of the values and slopes of an expression within intervals of its inputs, by interval arithmetic. No sampling
// could give them.
#pragma once
#include <algorithm>
#include <cmath>
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
  Interval slope;      ///< contains the derivatives on both sides of kinks, and beside jumps
  bool jumps = false;  ///< whether the value may jump, or be undefined
};

/// Encloses what a or b enclose.
Enclosed either(const Enclosed& a, const Enclosed& b);

/// Encloses the values of a program. Places at which it is not defined do not count.
class Enclosure {
 public:
  /// The program must live longer. inputs: its x, t and parameters. varying: the indices of the inputs that are
  /// intervals.
  Enclosure(const Program& program, std::vector<double> inputs, std::vector<size_t> varying);
  /// The values in a box, one interval for each varying input, and the slopes along one of these, by its index in
  /// `varying`.
  const Enclosed& over(std::span<const Interval> box, size_t along = 0);
  const Enclosed& over(Interval only) { return over(std::span(&only, 1)); }
  /// The value at a point of the box, up to rounding.
  double at(std::span<const double> point);
  double at(double only) { return at(std::span(&only, 1)); }
  /// Whether the expression depends on one of the varying inputs.
  bool depends(size_t along) const;

 private:
  Enclosed computed(const Program::Operation& operation) const;
  const Program& program_;
  std::vector<double> inputs_;
  std::vector<size_t> varying_;
  std::vector<size_t> changing_;  // operations that depend on varying inputs
  std::vector<Enclosed> known_;
};

}  // namespace bmsim::formula
