// Steps, durations and transients of a run's points.
#pragma once
#include <fmt/format.h>

#include <chrono>
#include <functional>
#include <string>

#include "error.h"
#include "interruption.h"
#include "plan/plan.h"
#include "scales/force_shape.h"

namespace bmsim {

/// 2^48: only so many increments have random numbers of their own.
constexpr double most_steps = 281474976710656.0;

/// Sets steps, durations and transients of all points of a plan, whose values are known. Then sets the precision that
/// they need, and collects warnings about the steps. Throws Error if a rule is broken; the message names the point.
void place_in_time(Plan& plan, const Sweep& sweep, ForceShapes& shapes);

/// The shortest period of the drives; 0 without drives.
double drive_period(const Model& model, const ModelValues& values);
/// The time that a run is asked to last at a point; not finite if it is counted in time scales and there are none.
double asked_duration(const Point& point);
/// Mean time between two ticks of a walk's clock.
double tick_interval(const Model& model, const Point& point);
/// The fewest steps of a path that methods with steps make by default.
double fewest_default_steps(const Point& point);
/// Steps of a path at a point, with the default step of a method. Leaves plan and point as they were.
double default_steps(Plan& plan, Point& point, Method method, ForceShapes& shapes);

/// " at point 3 (F = 1)", for messages; "" if the plan has only one point.
std::string place_in_sweep(const Plan& plan, const Sweep& sweep, size_t index);

/// Chooses double precision if single precision loses too much at a point: docs/guide/precision.md derives the rule.
/// For plans that leave the choice open. (plan/rounding.cc, like those that follow)
void choose_precision(Plan& plan, ForceShapes& shapes);
/// A warning if single precision was asked for and loses too much at a point; "" for none.
std::string check_precision(const Plan& plan, const Sweep& sweep, ForceShapes& shapes);
/// Throws Error if a sticky wall holds particles for more steps than numbers of the precision count.
void check_holds(const Plan& plan);

/// Warns of a loop over points that takes long.
class Patience {
 public:
  /// what: takes long, "the evaluation" in the warning.
  Patience(std::string what, size_t points);
  /// To be called after each point. Warns once, when enough time has passed to know that all points take long.
  void done(size_t point);

 private:
  std::string what_;
  size_t points_;
  std::chrono::steady_clock::time_point began_ = std::chrono::steady_clock::now();
  bool told_ = false;
};

/// Calls task(from, to) for parts of so many points, and patience.done(). Where there are very many it has all cores of
/// the plan, and ends with the error that would have come first.
void in_parts(const EnsemblePlan& plan, size_t points, Patience& patience,
              const std::function<void(size_t from, size_t to)>& task);

/// Returns f(), unless the run is interrupted. If f throws an Error, its message gets the point of the sweep.
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
