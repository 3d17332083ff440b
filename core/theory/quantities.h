// Names of the results of theories: those of observables where these exist.
#pragma once
#include <string>
#include <vector>

#include "model/model.h"

namespace bmsim::theory {

using Names = std::vector<std::string>;

// Names for every variable; in a system they end in that of the variable.
Names of_velocity(const Model& model);
Names of_diffusion(const Model& model);
Names of_transport(const Model& model);  ///< velocity, diffusion
Names of_squares(const Model& model);    ///< velocity, diffusion, <v^2>
/// Velocities, the diffusion tensor, and <v^2> of variables with inertia.
Names of_motion(const Model& model);
/// of_motion, then mean values and covariances of all states.
Names of_law(const Model& model);
Names of_rates(const Model& model);

/// Positions and velocities: "x", "v_x"; "v" where the model is no system.
Names state_names(const Model& model);

}  // namespace bmsim::theory
