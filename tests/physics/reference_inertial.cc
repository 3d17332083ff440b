// Free and harmonic inertial particles: closed forms.
#include "reference_inertial.h"

#include <cmath>

#include "reference_detail.h"

namespace bmsim::reference {
namespace {

void check(const Particle& particle) {
  require(particle.m > 0, "m must be > 0", particle.m);
  require(particle.gamma > 0, "gamma must be > 0", particle.gamma);
}

}  // namespace

double velocity_correlation(const Particle& particle, double t) {
  check(particle);
  const auto& [m, gamma, T] = particle;
  return T / m * std::exp(-gamma * std::abs(t) / m);
}

double free_inertial_msd(const Particle& particle, double t, double initial_v2) {
  check(particle);
  const double tau = particle.m / particle.gamma, lost = -std::expm1(-t / tau);  // of the initial velocity
  return initial_v2 * tau * tau * lost * lost +
         2 * particle.T / particle.gamma * (t - 2 * tau * lost - tau / 2 * std::expm1(-2 * t / tau));
}

SecondMoments harmonic_inertial(double k, const Particle& particle) {
  check(particle);
  return {particle.T / k, particle.T / particle.m};
}

SecondMoments harmonic_inertial_ornstein_uhlenbeck(double k, const Particle& particle, double D, double tau) {
  check(particle);
  require(tau > 0, "tau must be > 0", tau);
  const auto& [m, gamma, T] = particle;
  const double v2 = D / (gamma * (m + gamma * tau + k * tau * tau));
  return {v2 * (m + gamma * tau) / k, v2};
}

Cumulants free_inertial_shots(const Particle& particle, const ShotNoise& noise) {
  check(particle);
  const auto& [m, gamma, T] = particle;
  const auto v = harmonic_shots(gamma / m, noise);  // of the momentum
  return {v.mean / m, v.variance / std::pow(m, 2), v.third / std::pow(m, 3), v.fourth / std::pow(m, 4)};
}

}  // namespace bmsim::reference
