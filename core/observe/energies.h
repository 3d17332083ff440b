// Energies that pass along paths over their windows: sums of integrals that kernels count, and of what is known at the
// ends of a window.
#pragma once
#include <string>
#include <vector>

#include "observe/observable.h"

namespace bmsim {

/// Names in Window::counted, after "integral.", of the integrals that are no formulas, over variable k. with_force: of
/// drives together with the constant force.
std::string driving_name(size_t k, bool with_force);
std::string force_name(size_t k);
std::string kinetic_name(size_t k);

/// What an observable needs for work_on, and for heat_from.
std::vector<PathIntegral> needs_of_work(const std::string& subject);
std::vector<PathIntegral> needs_of_heat(const std::string& subject);

/// Path by path, the work of the constant force and of drives on variable k: the integral of (f + F) o dx.
std::vector<double> work_on(const Measured& m, size_t k);
/// Path by path, the heat that passes into the bath of variable k: the integral of all forces over dx, less the change
/// of m v^2/2. Where the potential is known that of -V' is the change of V.
std::vector<double> heat_from(const Measured& m, size_t k);

}  // namespace bmsim
