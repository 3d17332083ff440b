// Names of what theories give, those of observables where there are such.
#pragma once
#include <string>
#include <vector>

#include "model/model.h"

namespace bmsim::theory {

using Names = std::vector<std::string>;

// Of every variable; in a system they end in its name.
Names of_velocity(const Model& model);
Names of_diffusion(const Model& model);
Names of_transport(const Model& model);  ///< both
Names of_squares(const Model& model);    ///< and <v^2>
/// Velocities, the diffusion tensor, and <v^2> of variables with inertia.
Names of_motion(const Model& model);
/// These, and mean values and covariances of all states.
Names of_law(const Model& model);
Names of_rates(const Model& model);

/// Positions and velocities: "x", "v_x"; "v" where the model is no system.
Names state_names(const Model& model);

}  // namespace bmsim::theory
