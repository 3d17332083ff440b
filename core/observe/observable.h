// What is measured at a point: a value and its standard error.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "observe/moments.h"

namespace bmsim {

struct Estimate {
  double value, error;
};

/// One quantity; its columns are name() and name() + "_err".
class Observable {
 public:
  virtual ~Observable() = default;
  virtual std::string name() const = 0;
  /// duration, steps: of the window, in time and in steps.
  virtual Estimate estimate(const WindowMoments& moments, double duration, double steps) const = 0;
  virtual bool needs_squares() const { return false; }  ///< the sum of v^2 along every path
};

/// Throws Error listing the known ones.
std::unique_ptr<Observable> make_observable(std::string_view name);

/// Mean and its standard error, sqrt(s^2 / n); the error is NaN for a single value.
Estimate mean(std::span<const double> values);

}  // namespace bmsim
