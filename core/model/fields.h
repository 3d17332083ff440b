// Mean fields on the host, where there is one path: all paths are taken to be at the same place.
#pragma once
#include <array>

#include "model/model.h"

namespace bmsim {

/// Velocities of the variables with inertia, followed by mean fields, as functions of the state take them.
typedef std::array<double, most_variables + most_fields> VelocitiesAndFields;

/// Velocities v of a path, and the mean fields of paths that are all at positions x, with velocities v_of_paths.
VelocitiesAndFields with_fields(const Model& model, const ModelValues& values, const double* v, const double* x,
                                const double* v_of_paths);

}  // namespace bmsim
