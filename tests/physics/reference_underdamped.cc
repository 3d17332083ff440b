// The solver of the Klein-Kramers equation is the product's: what it gives is checked by routes that it does not use
// (test_ reference_transport.cc), and then simulations against it.
#include "reference_detail.h"
#include "reference_inertial.h"
#include "theory/inertial.h"

namespace bmsim::reference {

InertialTransport inertial_transport(const FourierForce& force, const Particle& particle, int hermite, int modes,
                                     double centre) {
  require(force.L > 0, "L must be > 0", force.L);
  require(particle.m > 0, "m must be > 0", particle.m);
  require(particle.gamma > 0, "gamma must be > 0", particle.gamma);
  require(particle.T > 0, "T must be > 0", particle.T);
  require(hermite >= 4, "hermite must be >= 4", hermite);
  require(modes >= 1, "modes must be >= 1", modes);
  const auto [v, v2, D_eff] = theory::inertial_transport(
      {force.L, force.coefficient}, {particle.m, particle.gamma, particle.T}, hermite, modes, centre);
  return {v, v2, D_eff};
}

}  // namespace bmsim::reference
