// White noise whose amplitude jumps where the noise itself takes paths. That has a meaning by Ito's interpretation, and
// schemes whose limit is Ito's have it, too. Others contain the slope of the amplitude, which no step sees at a jump.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"

namespace bmsim {

/// A jump of the amplitude that a noise has on a variable.
struct AmplitudeJump {
  const Component* noise;
  std::string where;  ///< "x = 0.5"
  double before, after;
  size_t variable;  ///< along which it jumps, or along whose velocity
  double place;
  bool of_velocity;
};
/// The first jump of an amplitude of white noise along a variable, or a velocity, that the noise moves; nothing if none
/// is found. thermal: looks only at noise that is given by T where gamma is a formula.
std::optional<AmplitudeJump> find_amplitude_jump(const Model& model, const ModelValues& values, bool thermal = false);

/// The first jump of an amplitude of white noise along a variable, or a velocity, that only other white noise moves.
std::optional<AmplitudeJump> find_jump_by_others(const Model& model, const ModelValues& values);

/// Places, ascending, of all jumps of amplitudes of white noise along a variable without inertia that the noise moves.
/// x, v and t: the other variables, the velocities and the time at which to look.
std::vector<double> amplitude_jumps_along(const Model& model, const ModelValues& values, size_t variable,
                                          const std::vector<double>& x, const std::vector<double>& v, double t);
/// What moves the jumps along a variable: the time, and other variables or velocities.
struct MoversOfJumps {
  bool any = false;  ///< whether there may be such jumps
  bool time = false, others = false;
};
MoversOfJumps movers_of_jumps(const Model& model, size_t variable);

/// Throws Error for a jump that the model's interpretation gives no meaning.
void check_amplitudes(const Model& model, const ModelValues& values);

}  // namespace bmsim
