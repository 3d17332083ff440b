// Columns that are angles. An angle plus a whole turn is the same angle, so the mean and the difference of two angles
// depend on their turns: these are chosen so that the angles are nearest to each other.
#pragma once
#include <cmath>
#include <vector>

#include "numbers.h"
#include "plan/plan.h"

namespace bmsim {

/// A full turn for every column that is an angle, 0 for other columns.
inline std::vector<double> turns_of(const EnsemblePlan& plan) {
  std::vector<double> turns;
  for (const auto& observable : plan.observables)
    for (const std::string& column : observable->columns()) turns.push_back(observable->is_angle(column) ? 2 * pi : 0);
  return turns;
}

/// The angle `value`, moved by whole turns to be nearest to `other`. turn 0: an ordinary number, which stays.
inline double unwrapped(double value, double other, double turn) {
  return turn > 0 ? other + std::remainder(value - other, turn) : value;
}
/// An angle moved into (-turn/2, turn/2].
inline double within(double value, double turn) {
  const double angle = unwrapped(value, 0, turn);
  return turn > 0 && angle <= -turn / 2 ? turn / 2 : angle;
}

}  // namespace bmsim
