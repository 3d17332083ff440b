// Columns that are angles: a turn more or less is the same angle, so that the mean and the difference of two of them
// depend on which turn they are in. They are taken where both are nearest to each other.
#pragma once
#include <cmath>
#include <numbers>
#include <vector>

#include "plan/plan.h"

namespace bmsim {

/// By column of all observables: the turn of an angle, 0 for a number.
inline std::vector<double> turns_of(const EnsemblePlan& plan) {
  std::vector<double> turns;
  for (const auto& observable : plan.observables)
    for (const std::string& column : observable->columns())
      turns.push_back(observable->is_angle(column) ? 2 * std::numbers::pi : 0);
  return turns;
}

/// The same angle, as near to another as it can be.
inline double unwrapped(double value, double other, double turn) {
  return turn > 0 ? other + std::remainder(value - other, turn) : value;
}
/// The same angle in (-turn/2, turn/2].
inline double within(double value, double turn) {
  const double angle = unwrapped(value, 0, turn);
  return turn > 0 && angle <= -turn / 2 ? turn / 2 : angle;
}

}  // namespace bmsim
