// Steps, durations and transients of a run's points.
#pragma once
#include <fmt/format.h>

#include "error.h"
#include "interruption.h"
#include "plan/plan.h"
#include "scales/force_shape.h"

namespace bmsim {

/// 2^48: number of increments that have random numbers of their own.
constexpr double most_steps = 281474976710656.0;

/// Sets steps, durations and transients of all points of a plan, whose values are known; then the precision that they
/// need, and warnings about the steps. Throws Error if a rule is broken; the message names the point.
void place_in_time(Plan& plan, const Sweep& sweep, ForceShapes& shapes);

/// The time that a run is asked to last at a point; not finite where it is counted in time scales that there are not.
double asked_duration(const Point& point);
/// Mean time between two ticks of a walk's clock.
double tick_interval(const Model& model, const Point& point);
/// No method with steps makes fewer by default.
double fewest_default_steps(const Point& point);
/// Steps of a path at a point, with the default step of a method. Leaves plan and point as they were.
double default_steps(Plan& plan, Point& point, Method method, ForceShapes& shapes);

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
