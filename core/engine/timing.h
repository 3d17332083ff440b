// Steps, durations and transients of a run's points.
#pragma once
#include <fmt/format.h>

#include "engine/plan.h"
#include "error.h"
#include "interruption.h"

namespace bmsim {

/// 2^48: number of increments that have random numbers of their own.
constexpr double most_steps = 281474976710656.0;

/// Sets steps, durations and transients of all points of a plan, whose values are known; then the precision that they
/// need, and warnings about the steps. Throws Error if a rule is broken; the message names the point.
void place_in_time(Plan& plan, const Sweep& sweep);

/// Returns f(), unless the run is interrupted. An Error that f throws gets the point of the sweep into its message.
template <class F> auto at_point(const Sweep& sweep, size_t index, F f) {
  check_interruption();
  try {
    return f();
  } catch (const Error& error) {
    if (sweep.names().empty()) throw;
    throw Error(fmt::format("{} (at {})", error.what(), sweep.describe(index)), error.status());
  }
}

}  // namespace bmsim
