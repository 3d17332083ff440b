// What acts on a particle beside the potential's force at one point: how strong it is, for choosing steps.
#pragma once
#include "model/model.h"

namespace bmsim {

/// Largest values of forces that drives and the constant force have; of noise that is a force, typical ones (its mean
/// and its standard deviation). White noise apart.
struct Surroundings {
  /// A force that changes with time: its largest value, and the time on which it changes.
  struct Varying {
    double force, time;
  };
  double force = 0;     ///< beside that of the potential: all together
  double constant = 0;  ///< of it what does not change
  std::vector<Varying> varying;
  double amplitude = 1;  ///< by which the potential is multiplied
  double variance = 0;   ///< of all Gaussian white noise, per unit time: 2 D
  Surroundings(const Model& model, const ModelValues& values);
};

}  // namespace bmsim
