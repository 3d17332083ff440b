// The generated parts of a kernel, each with the file that writes it.
#pragma once
#include <string>

#include "compose/components.h"
#include "compose/kernel_options.h"

namespace bmsim {

// ---- state_functions.cc: what depends on the state: forces, amplitudes of noise, and what is averaged ----

/// model_forces: adds all forces that are not constant to f. model_force: that of the potential, for one variable.
std::string forces_text(const Model& model, Method method);
/// observed_values: the functions that counter Average sums up; empty if there are none.
std::string observed_text(const Model& model);
/// field_values: the formulas whose averages are mean fields. set_fields: puts these where formulas read them.
std::string fields_text(const Model& model);
/// Standard deviations of the sources of white noise, and how their increments reach the variables.
std::string white_noise_text(const Model& model);
/// noise_drift: for noise with amplitudes, the force by which the limit of the method without it differs from Ito's.
std::string noise_drift_text(const Model& model, Method method);
/// "if (variable == 2) " for a noise of a system.
std::string if_on(const Model& model, const Numbered& noise);

// ---- outside_text.cc: what acts from outside: drives and noises ----

/// Whether the constant drift is part of Outside, where it is added once for all trajectories.
bool drift_is_outside(const Model& model);
/// outside_at: what drives do at given phases.
std::string outside_text(const Model& model);
/// Functions for what the noises of step_noises() do in a step; empty if there are none.
std::string step_text(const Model& model);

// Where forces and jumps of noises with events go:
/// Whether a noise adds a force to its variable that nothing but events changes.
bool is_constant_force(const Model& model, const Numbered& noise);
/// Text of the present force of a noise with a force that nothing but events changes, for trajectory l of s.
std::string present_force(const Numbered& noise);
/// model_factor: factors of forces that depend on states of noises with events. add_factors: adds them to Outside.
std::string factors_text(const Model& model);
/// add_jump, a member of a noise's type: adds its jump, times the amplitude just before the event, to the variables'.
std::string jump_text(const Model& model, const Numbered& noise);

// For all trajectories of a group together (kernels/exact_clock.h):
/// Members of the type of a noise whose first state is number `first_state`: waiting_all, and event_all, which makes an
/// event of the trajectories of a mask.
std::string exact_events_text(const Numbered& noise, size_t first_state);
/// exact_drift: constant force plus drifts of the noises, in periods per step.
std::string exact_drift_text(const std::vector<Numbered>& noises);
/// walk_state: the number of the joint state of all noises with events (walk_tables.h). states: how many each has.
std::string walk_state_text(const std::vector<Numbered>& noises, const std::vector<size_t>& states);

// ---- script_text.cc: events and walls of the script ----

/// Events that trajectories count down to: at constant rates, or after fixed intervals.
std::vector<Numbered> timed_events(const Model& model);
/// Events at rates that depend on the state or on time (kernels/hazards.h).
std::vector<Numbered> hazards(const Model& model);
/// Events at zeros of a formula (kernels/crossings.h).
std::vector<Numbered> crossings(const Model& model);
/// A type for every event, and the functions event_rates, each_hazard, crossing_values and each_crossing.
std::string events_text(const Model& model, const ModelValues& values);
/// Name of the type of an event.
std::string event_type(const Numbered& event);

/// Mask of the variables that have walls.
uint32_t walled(const Model& model);
/// Mask of the variables that have two walls.
uint32_t between_walls(const Model& model);
/// each_wall(p, f): calls f(variable, whether the wall is above, its place in lengths) for each wall, lower walls
/// first. each_sticky_wall(p, f): calls f(variable, whether the wall is above, its place, its adsorption length, the
/// place of the opposite wall) for each sticky wall. Without an opposite wall that reflects, its place is far away.
std::string walls_text(const Model& model);

}  // namespace bmsim
