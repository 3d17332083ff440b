// The sizes of all forces other than the potential's at one point, from which steps are chosen.
#pragma once
#include <span>
#include <string>
#include <utility>

#include "model/model.h"

namespace bmsim {

constexpr double at_the_start[] = {0};

/// Largest values of drives and of the constant force; typical values (mean and standard deviation) of noise that is a
/// force. White noise is separate.
struct Surroundings {
  /// A force that changes with time: its largest value, and the time on which it changes.
  struct Varying {
    double force, time;
  };
  double force = 0;     ///< all together, except the potential's
  double constant = 0;  ///< the part of `force` that does not change
  std::vector<Varying> varying;
  double amplitude = 1;  ///< largest factor of the potential
  double steady = 0;     ///< the constant force and the means of forces that noises are, with their signs
  double swing = 0;      ///< largest sum of the forces that change, without noises whose events are kicks
  double variance = 0;   ///< of all Gaussian white noise, per unit time: 2 D, at the largest amplitude
  double slope = 0;      ///< of the forces that other noises with amplitudes are
  double blurring = 0;   ///< rate at which amplitudes change because of the noise they multiply: 2 D b'^2, b their size
  /// Rate at which noise crosses the lengths l over which amplitudes change, and a step averages them: 2 D (b/l)^2.
  double averaging = 0;
  double kinks = 0;      ///< averaging where the slopes of amplitudes jump: 2 D (jump of b')^2
  std::string unsure;    ///< an amplitude of which something may have been missed; "" if there is none
  double unsure_at = 0;  ///< the x near which that may be
  /// times: when formulas of time are looked at. starts: where paths begin; amplitudes are looked at more closely near
  /// them.
  Surroundings(const Model& model, const ModelValues& values, std::span<const double> times = at_the_start,
               std::pair<double, double> starts = {0, 0});
};

}  // namespace bmsim
