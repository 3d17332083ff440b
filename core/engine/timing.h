// When a run's points begin, step and end.
#pragma once
#include <fmt/format.h>

#include "engine/plan.h"
#include "error.h"

namespace bmsim {

/// 2^48: so many increments have random numbers of their own.
constexpr double most_steps = 281474976710656.0;

/// Gives all points of a plan, whose values are known, their steps, durations and transients, and the plan the
/// precision that they need and what is doubtful of them. Throws Error for rules that they break; the message names the
/// point.
void place_in_time(Plan& plan, const Sweep& sweep);

/// What f() throws, with the point of the sweep at which it did.
template <class F> auto at_point(const Sweep& sweep, size_t index, F f) {
  try {
    return f();
  } catch (const Error& error) {
    if (sweep.names().empty()) throw;
    throw Error(fmt::format("{} (at {})", error.what(), sweep.describe(index)), error.status());
  }
}

}  // namespace bmsim
