// The generated part of a kernel that depends on the state: forces, amplitudes of noise, and what is averaged.
#pragma once
#include <string>

#include "compose/components.h"
#include "compose/kernel_options.h"

namespace bmsim {

/// model_forces: adds all forces that are not constant to f. model_force: the force of the potential, for models of one
/// variable.
std::string forces_text(const Model& model, Method method);
/// observed_values: the functions that counter Average sums up; empty if there are none.
std::string observed_text(const Model& model);
/// field_values: the formulas whose averages are mean fields. set_fields: puts mean fields where formulas read them.
/// Empty without mean fields.
std::string fields_text(const Model& model);
/// Standard deviations of the sources of white noise, and how their increments reach the variables.
std::string white_noise_text(const Model& model);
/// noise_drift: for noise with amplitudes, the force by which the limit of the method, without this force, differs from
/// Ito's interpretation.
std::string noise_drift_text(const Model& model, Method method);
/// "if (variable == 2) " for a noise of a system.
std::string if_on(const Model& model, const Numbered& noise);

}  // namespace bmsim
