// Events of the script, on the host.
#pragma once
#include <span>
#include <vector>

#include "model/model.h"
#include "plugin/state_functions.h"

namespace bmsim {

/// An event at a point, by its functions.
class EventFunctions {
 public:
  EventFunctions(const Model& model, const ModelValues& values, const Component& event);
  const EventShape& shape() const { return *functions_.event(); }
  /// Its rate, its interval, or the formula at whose zeros it comes, at positions x, velocities v of the
  /// variables with inertia, followed by the mean fields, and time t.
  double trigger(const double* x, const double* v, double t) const;
  /// What its targets are set to, with these random numbers.
  std::vector<double> values(const double* x, const double* v, double t, std::span<const double> numbers) const;

 private:
  std::vector<double> all(const double* x, const double* v, double t, std::span<const double> numbers) const;
  const StateFunctions& functions_;
  const double* own_;
  size_t variables_;
};

/// Whether the rate of an event depends on the state, of which there are so many numbers.
bool has_changing_rate(const Component& event, size_t numbers);
/// The shortest interval of events that come at ends of steps, as those of models with mean fields do; infinite if
/// there are none.
double shortest_interval_of_steps(const Model& model, const ModelValues& values);
/// Whether white noise moves the trigger of an event directly: a position without inertia, or a velocity, in it.
bool white_noise_moves(const Model& model, const EventShape& trigger);
/// Whether an event at zeros comes at the ends of steps (kernels/crossings.h): where white noise moves its formula, or
/// noise jumps at every step. The error of the step is of first order then.
bool comes_at_ends(const Model& model, const EventShape& event);
bool has_events_at_ends(const Model& model);

/// Throws Error for a rate or an interval, free of the state, that is none.
void check_events(const Model& model, const ModelValues& values);

}  // namespace bmsim
