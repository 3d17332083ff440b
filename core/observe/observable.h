// What is measured at a point, from the two ends of the window of every path: a value and its standard error.
#pragma once
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace bmsim {

/// Positions at the two ends of the window, in units of length and unfolded; shape (paths). duration: its length in
/// time.
struct Window {
  std::span<const double> start, end;
  double duration;
};

struct Estimate {
  double value, error;
};

/// One quantity; its columns are name() and name() + "_err".
class Observable {
 public:
  virtual ~Observable() = default;
  virtual std::string name() const = 0;
  /// Sums in the order of the paths, in double: the same on every device and for any number of threads.
  virtual Estimate estimate(const Window& window) const = 0;
};

/// Throws Error listing the known ones.
std::unique_ptr<Observable> make_observable(std::string_view name);

/// Mean and its standard error, sqrt(s^2 / n); the error is NaN for a single value.
Estimate mean(std::span<const double> values);

}  // namespace bmsim
