// The sizes of all forces other than the potential's at one point, for choosing steps.
#pragma once
#include <span>
#include <string>
#include <utility>

#include "model/model.h"

namespace bmsim {

constexpr double at_the_start[] = {0};

/// Largest values for drives and the constant force, typical values (mean and standard deviation) for noise that is a
/// force. White noise is separate.
struct Surroundings {
  /// A force that changes with time: its largest value, and the time on which it changes.
  struct Varying {
    double force, time;
  };
  double force = 0;     ///< all together, except the potential's
  double constant = 0;  ///< the part of it that does not change
  std::vector<Varying> varying;
  double amplitude = 1;  ///< largest factor of the potential
  double steady = 0;     ///< the constant force and the means of forces that noises are, with their signs
  double swing = 0;      ///< largest sum of the others, without noises whose events are kicks
  double variance = 0;   ///< of all Gaussian white noise, per unit time: 2 D, at the largest amplitude
  double slope = 0;      ///< of forces of other noises with amplitudes
  double blurring = 0;   ///< rate at which amplitudes change because of the noise they multiply: 2 D b'^2, b their size
  /// Rate at which noise crosses the lengths l over which amplitudes change, and a step averages them: 2 D (b/l)^2.
  double averaging = 0;
  double kinks = 0;      ///< the same where the slopes of amplitudes jump: 2 D (jump of b')^2
  std::string unsure;    ///< noise of whose amplitude it is not sure that nothing was missed; "" if none
  double unsure_at = 0;  ///< and near which x
  /// times: at which formulas of time are looked at. starts: where paths begin, near which amplitudes are looked at
  /// more closely.
  Surroundings(const Model& model, const ModelValues& values, std::span<const double> times = at_the_start,
               std::pair<double, double> starts = {0, 0});
};

}  // namespace bmsim
