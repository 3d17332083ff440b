// A model's potential at one point of a sweep, as functions of x.
#pragma once
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

}  // namespace bmsim::theory
