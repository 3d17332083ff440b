// Mean fields on the host, where there is one path: all paths are taken to be at one place.
#pragma once
#include <array>

#include "model/model.h"

namespace bmsim {

/// Velocities of the variables with inertia, followed by mean fields: what functions of the state take.
typedef std::array<double, most_variables + most_fields> VelocitiesAndFields;

/// These of a path with velocities v, among paths that all are at positions x, with velocities v_of_all.
VelocitiesAndFields with_fields(const Model& model, const ModelValues& values, const double* v, const double* x,
                                const double* v_of_all);

}  // namespace bmsim
