// Stationary periodic master equations: the mean velocity of dx/dt = -V'(x) + F + white noise of any kind + noise that
// jumps between states.
#pragma once
#include <complex>

#include "theory/content.h"

namespace bmsim::theory {

/// A state of the jumping noises: the force that it adds, and the factor of -V' in it.
struct State {
  double force = 0, potential = 1;
};
/// Kicks at a rate, of an exponential law with a mean of either sign.
struct Kicks {
  double rate, mean;
};
/// A noise that adds x in the time t has <exp(i q x)> = exp(t symbol(q)).
using Symbol = std::function<std::complex<double>(double q)>;

struct MasterEquation {
  Landscape landscape;
  double force = 0;                               ///< F, with the drift of compensated kicks
  double D = 0;                                   ///< of the Gaussian noises together
  std::vector<State> states{{}};                  ///< one or more
  std::vector<std::vector<double>> rates{{0.0}};  ///< [from][to]
  std::vector<Kicks> kicks{};
  std::vector<Symbol> symbols{};  ///< of white noises of other laws
  double mean = 0;                ///< mean force of the noises in `symbols`
};

/// The mean velocity of
///   0 = -(d/dx)[(-V' potential_s + F + force_s) p_s] + D p_s'' + kicks + flips
/// for D > 0 and without symbols. The flux of exponential kicks obeys an equation of first order, so that densities and
/// fluxes obey a linear system of ordinary differential equations. It is integrated by Gauss's collocation of order 12,
/// over parts shorter than any of its layers, and matched around the period (multiple shooting). Kinks of V cost
/// nothing. Error below 1e-9 of |v| + the largest force times 1e-3. Throws Error if that takes more than 2 10^5 parts:
/// D too small, kicks too short.
double shooting_velocity(const MasterEquation& equation);

/// The mean velocity of the equation with symbols, by Fourier-Galerkin: p_s = sum_k p_sk exp(2 pi i k x/L). The number
/// of harmonics is doubled until v changes by less than 1e-9 of |v| + the largest force; at 512 harmonics, as kinks of
/// V need, by less than 1e-5. Throws Error if v does not converge.
double galerkin_velocity(const MasterEquation& equation);

/// The equation of a model. States are all combinations of the values of the jumping noises. Throws Error if there are
/// more than 64.
MasterEquation master_equation(const Content& content);
/// By shooting, or by harmonics if the model has Levy noise or kicks that are not exponential. Throws Error if there is
/// neither Gaussian noise (D > 0) nor Levy noise of alpha > 1.
double master_velocity(const Content& content);

}  // namespace bmsim::theory
