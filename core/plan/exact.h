// Where method exact applies.
#pragma once
#include <string>

#include "plan/plan.h"

namespace bmsim {

/// A move of a path by a method without steps is as much work as so many steps: 20 on a CPU, 10 on a GPU.
constexpr double steps_for_move = 15;

/// What prevents method exact, in words; "" if nothing does.
std::string why_not_exact(const Model& model);
/// What prevents method exact at given parameter values, at which the potential may not be piecewise linear.
std::string why_not_exact(const Model& model, const ModelValues& values);
/// What prevents method walk, which is method exact with white noise; why_not_exact at given values.
std::string why_not_walk(const Model& model);
/// Number of events of all noises together per unit time.
double event_rate(const Model& model, const ModelValues& values);
/// Ticks per unit time of the clock that a walk is observed by: so many that the scatter of their number adds little to
/// errors, and not more.
struct TickRate {
  double rate;
  const char* inverse;       ///< "D/(2 u^2)", u being the velocity without V, D the intensity of all noises
  std::string text() const;  ///< "D/(2 u^2) = 5e-09"
};
TickRate tick_rate(const Model& model, const ModelValues& values);
/// About how often the kernel of a method without steps moves a path.
double moves_of_path(const Model& model, const Point& point, const PointTime& time, const KernelOptions& kernel);
/// Mean velocity by all but V, at any time: of the constant force and of noises. NaN if it is not known.
double mean_push(const Model& model, const ModelValues& values);
/// Edges of the pieces of V, in periods.
std::vector<double> edges_of(const Model& model, const ModelValues& values);
/// Approximate number of steps of dt in an iteration of the kernel; 1 for methods that make steps.
double steps_per_iteration(const Model& model, const ModelValues& values, const PointTime& time,
                           const KernelOptions& kernel);

}  // namespace bmsim
