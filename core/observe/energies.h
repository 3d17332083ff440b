// Energies exchanged along paths in the window, from integrals that kernels count and from the ends of the window.
#pragma once
#include <string>
#include <vector>

#include "observe/observable.h"

namespace bmsim {

/// Names in Window::counted, after "integral.", of the integrals over variable k that are no formulas. with_force: of
/// the drives together with the constant force.
std::string driving_name(size_t k, bool with_force);
std::string force_name(size_t k);
std::string kinetic_name(size_t k);

/// Integrals that an observable needs for work_on, and for heat_from.
std::vector<PathIntegral> needs_of_work(const std::string& subject);
std::vector<PathIntegral> needs_of_heat(const std::string& subject);

/// The work of the constant force and of drives on variable k, path by path: the integral of (f + F) o dx.
std::vector<double> work_on(const Measured& m, size_t k);
/// The heat that passes into the bath of variable k, path by path: the integral of all forces over dx, less the change
/// of m v^2/2. Where the potential is known, the integral of -V' is minus the change of V.
std::vector<double> heat_from(const Measured& m, size_t k);

}  // namespace bmsim
