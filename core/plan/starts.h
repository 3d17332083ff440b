// Where paths begin: the laws of their initial positions and velocities, and their defaults.
#pragma once
#include <string>
#include <vector>

#include "plan/plan.h"

namespace bmsim {

/// Throws Error if an initial law is for something other than a variable or a velocity of the model.
void check_starts(const Model& model, const RunOptions& options);
/// Sets the initial laws of all variables of a point, from the options and its values. Throws Error if positions may be
/// beyond walls, where the potential is not known, where a force is not finite, or too far from 0 to resolve a period.
void set_starts(const Model& model, const RunOptions& options, Point& point);
/// The evenly spaced values of a law that has them, ascending; none for other laws.
std::vector<double> grid_of(const StartLaw& law);
/// A warning if there are fewer paths than nodes of the grid of initial values; "" otherwise.
std::string unused_starts_text(const RunOptions& options);
/// D of all Gaussian white noise of a variable together: the temperature is D / gamma. multiplied: with an amplitude.
double thermal_intensity(const Model& model, const ModelValues& values, size_t variable, bool multiplied = false);

}  // namespace bmsim
