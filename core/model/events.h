// Events of the script, on the host.
#pragma once
#include <span>
#include <vector>

#include "model/model.h"
#include "plugin/state_functions.h"

namespace bmsim {

/// The functions of an event at a sweep point.
class EventFunctions {
 public:
  EventFunctions(const Model& model, const ModelValues& values, const Component& event);
  const EventShape& shape() const { return *functions_.event(); }
  /// The rate of the event, its interval, or the formula whose zeros trigger it. x: positions; v: velocities of the
  /// variables with inertia, followed by the mean fields; t: time.
  double trigger(const double* x, const double* v, double t) const;
  /// The values that the targets are set to. numbers: the random numbers.
  std::vector<double> values(const double* x, const double* v, double t, std::span<const double> numbers) const;

 private:
  std::vector<double> results_at(const double* x, const double* v, double t, std::span<const double> numbers) const;
  const StateFunctions& functions_;
  const double* own_;
  size_t variables_;
};

/// Whether the rate of an event depends on the state. numbers: how many numbers the state has.
bool has_changing_rate(const Component& event, size_t numbers);
/// The shortest interval of events that come at the ends of steps, as all events of models with mean fields do.
/// Infinity if there are none.
double shortest_interval_of_steps(const Model& model, const ModelValues& values);
/// Whether white noise moves the trigger of an event directly: by a position without inertia, or a velocity, in it.
bool white_noise_moves(const Model& model, const EventShape& trigger);
/// Whether an event at zeros comes at the ends of steps (kernels/crossings.h): white noise moves its formula, or noise
/// jumps at every step. The error of the step is then of first order.
bool comes_at_ends(const Model& model, const EventShape& event);
bool has_events_at_ends(const Model& model);

/// Throws Error for a constant rate or an interval with an illegal value, and for a formula whose zeros cannot be
/// found.
void check_events(const Model& model, const ModelValues& values);

}  // namespace bmsim
