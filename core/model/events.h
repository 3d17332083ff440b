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
  /// Its rate or interval, at positions x in units of length, velocities v of the variables with inertia, followed by
  /// the mean fields, and time t.
  double trigger(const double* x, const double* v, double t) const;
  /// What its targets are set to, with these random numbers.
  std::vector<double> values(const double* x, const double* v, double t, std::span<const double> numbers) const;

 private:
  std::vector<double> all(const double* x, const double* v, double t, std::span<const double> numbers) const;
  const StateFunctions& functions_;
  const double* own_;
  size_t variables_;
};

/// Throws Error for a rate or an interval, free of the state, that is none.
void check_events(const Model& model, const ModelValues& values);

}  // namespace bmsim
