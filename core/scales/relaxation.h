// How long a thermal particle in a potential remembers where it began: the slowest relaxation, over all barriers.
#pragma once
#include <functional>
#include <vector>

namespace bmsim {

struct ThermalParticle {
  double temperature = 1;      ///< in units of energy
  double mass = 0, gamma = 1;  ///< mass 0: without inertia
};

/// The slowest relaxation time in an energy, between the first and the last of these ascending places; 0 if it is not
/// known, as without a temperature. places: so close that nothing narrow lies between two of them. Without inertia the
/// time is the inverse of the smallest eigenvalue of the Fokker-Planck equation. With inertia, the time in which
/// diffusion of the energy takes particles out of a well (Kramers' low friction) is added. It is long where a well is
/// shallow or narrow: a particle loses little energy while it passes.
double slowest_relaxation(const std::function<double(double)>& energy, const std::vector<double>& places,
                          const ThermalParticle& particle);

/// The mean of a function over Boltzmann's law between the first and the last place; NaN if it is not known.
double boltzmann_mean(const std::function<double(double)>& energy, const std::vector<double>& places,
                      double temperature, const std::function<double(double)>& function);

}  // namespace bmsim
