// A model's potential at one point of a sweep, as functions of x, and the harmonics of its force.
#pragma once
#include <complex>
#include <vector>

#include "model/model.h"
#include "theory/mesh.h"

namespace bmsim::formula {
class Enclosure;
struct Enclosed;
}  // namespace bmsim::formula

namespace bmsim::theory {

/// Bounds of a function between two places.
using Bounds = std::function<formula::Enclosed(double from, double to)>;
/// Bounds of a formula that is given on the period around 0 and repeated; or everywhere, if the period is 0.
Bounds periodic_bounds(formula::Enclosure formula, double period);

struct Landscape {
  Function energy, force;              ///< V(x) and -V'(x)
  double period = 0;                   ///< 0: none
  std::vector<double> breaks{};        ///< in [0, period): where pieces of V, or of its formula, meet
  std::vector<bm_segment> segments{};  ///< if V is piecewise linear: see bm_segment
  Bounds bounds{};                     ///< of the force; empty if V is not a formula
  /// Hidden structure of V, in units of an energy.
  Hidden hidden_energy(double unit) const;
  /// Hidden structure of the force: the energy that it changes, in units of an energy.
  Hidden hidden_force(double unit) const;
  /// The landscape V(-x).
  Landscape mirrored() const;
};

/// Throws Error if the potential depends on time, or has no energy.
Landscape landscape_of(const Model& model, const ModelValues& values);

/// f(x) = sum_k f_k exp(2 pi i k x / L); [k] is f_k for 0 <= k < size (f is real), and 0 beyond.
struct FourierForce {
  double L;
  std::vector<std::complex<double>> coefficient;
  std::complex<double> operator[](long k) const {
    const auto n = static_cast<size_t>(k < 0 ? -k : k);
    if (n >= coefficient.size()) return 0;
    return k < 0 ? std::conj(coefficient[n]) : coefficient[n];
  }
};

/// Harmonics of -V' up to number `most`, by quadrature, without the negligible ones at the end. Their errors are below
/// 1e-12 of the largest. Structure of V matters if it is of the size of `energy`. Throws Error if the force cannot be
/// resolved.
FourierForce harmonics(const Landscape& landscape, int most, double energy);

}  // namespace bmsim::theory
