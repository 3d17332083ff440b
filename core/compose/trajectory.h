// State of a trajectory in a kernel. One list of fields gives the structs in the source text, and their bytes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "compose/kernel_options.h"
#include "model/model.h"

namespace bmsim {

/// Numbers of what the generated text has lists of, and masks of variables.
struct Counts {
  size_t events = 0;        ///< noises with events, and timed events
  size_t timed_events = 0;  ///< events of the script that clocks count down to
  size_t hazards = 0;       ///< events of the script whose rate depends on the state or on time
  size_t crossings = 0;     ///< events of the script at zeros of a formula
  size_t states = 0;        ///< states that events change
  size_t evolving = 0;      ///< states of coloured noises
  size_t averages = 0;      ///< coloured noises that know their mean over a step
  size_t step_noises = 0;   ///< noises that take numbers at every step
  size_t phases = 0, potential_phases = 0, observed_phases = 0;
  size_t fields = 0;             ///< mean fields
  size_t timed = 0;              ///< functions of t alone in formulas that observables follow
  bool own_increments = false;   ///< whether some increments have a law of their own
  bool drift_varies = false;     ///< whether the drift depends on states that events change
  size_t factors = 0;            ///< factors of forces that depend on such states: the potential's, and noises' values
  size_t multiplied_forces = 0;  ///< noises other than white ones that are forces and have an amplitude
  size_t kick_phases = 0;        ///< phases that amplitudes of kicks, and events of the script, read
  bool modulated = false;        ///< whether drives or noises modulate the potential
  size_t variables = 1, velocities = 0;
  uint32_t inertial = 0;    ///< mask of the variables that have inertia
  uint32_t forced = 0;      ///< mask of the variables on which drives or coloured noises act
  uint32_t white = 0;       ///< mask of the variables with white Gaussian noise without an amplitude
  uint32_t multiplied = 0;  ///< mask of the variables with white Gaussian noise that an amplitude multiplies
  size_t sources = 0;   ///< sources of white noise: one per variable of `white`, and one per noise with an amplitude
  uint32_t kicked = 0;  ///< mask of the variables on which noises with events act
  uint32_t sticky = 0;  ///< mask of the variables with sticky walls
};
Counts count(const Model& model);
/// Whether trajectories have countdowns and clocks of their own (kernels/events.h).
bool has_countdowns(const Counts& n, const KernelOptions& options);
/// Whether steps know how forces from outside fall, for the work of these forces (kernels/counters/integral.h).
bool knows_falls(const KernelOptions& options, const Counts& n);
/// Whether a coarse run (kernels/coarse.h) gathers increments with a law of their own separately.
bool gathers_impulses(const Model& model, const Counts& n, const KernelOptions& options);

/// Text of the generated trajectory.h: Trajectories, which is kept between launches; Motion, Outside, Gathered and
/// Numbers, which are in registers; and the structs of the counters.
std::string trajectory_text(const Model& model, const KernelOptions& options);

/// Bytes kept per trajectory between launches.
size_t trajectory_bytes(const Model& model, const KernelOptions& options);

}  // namespace bmsim
