// The generated part of a kernel that says where the forces and jumps of noises with events go: to their variables,
// to the potential's factor, or through an amplitude that depends on the state.
#pragma once
#include <string>

#include "compose/components.h"

namespace bmsim {

/// Whether a noise adds a force to its variable that nothing but events changes.
bool is_constant_force(const Model& model, const Numbered& noise);
/// Text of the present force of a noise with a force that nothing but events changes, for trajectory l of s.
std::string present_force(const Numbered& noise);
/// model_factor: factors of forces that depend on the states of noises with events. add_factors: adds them where they
/// belong.
std::string factors_text(const Model& model);
/// add_jump, a member of a noise's type: adds the jump of the noise, times the amplitude just before the event, to
/// those of the variables.
std::string jump_text(const Model& model, const Numbered& noise);

}  // namespace bmsim
