// Bounds on a step, as fractions of time scales.
#pragma once
#include <algorithm>
#include <cmath>
#include <limits>

#include "plan/step_choice.h"

namespace bmsim {

/// Steps as fractions of a time scale: with an error of about 1 %, and the longest that make sense.
struct Shares {
  double good, longest;
};
/// Fractions for methods of second order, for these methods where V has kinks, and for euler.
struct Rule {
  Shares smooth, kinked, euler;
};

class Bounds {
 public:
  /// first_order: the scheme is of first order whatever V is.
  Bounds(Method method, bool kinks, bool first_order)
      : first_order_(method == Method::euler || first_order), kinks_(kinks) {
    advice.good.dt = advice.finest.dt = advice.longest.dt = std::numeric_limits<double>::infinity();
  }
  /// least: a good step need not be shorter.
  void add(double time, const Rule& rule, const char* what, double least = 0) {
    if (!(time > 0 && std::isfinite(time))) return;
    const Shares& shares = first_order_ ? rule.euler : kinks_ ? rule.kinked : rule.smooth;
    lower(advice.good, {std::max(shares.good * time, least), time, what});
    lower(advice.finest, {shares.good * time, time, what});
    lower(advice.longest, {shares.longest * time, time, what});
  }
  StepAdvice advice;

 private:
  static void lower(StepBound& bound, const StepBound& other) {
    if (other.dt < bound.dt) bound = other;
  }
  bool first_order_, kinks_;
};

}  // namespace bmsim
