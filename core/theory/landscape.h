// A model's potential at one point, as functions of x.
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
/// Those of a formula that is known within the period around 0, or everywhere if that is 0.
Bounds periodic_bounds(formula::Enclosure formula, double period);

struct Landscape {
  Function energy, force;              ///< V(x) and -V'(x)
  double period = 0;                   ///< 0: none
  std::vector<double> breaks{};        ///< in [0, period): ends of the pieces that V, or its formula, is made of
  std::vector<bm_segment> segments{};  ///< if V is piecewise linear: see bm_segment
  Bounds bounds{};                     ///< of the force; nothing if V is no formula
  /// Of V, over an energy.
  Hidden hidden_energy(double unit) const;
  /// Of the force, by the energy that it changes over that unit.
  Hidden hidden_force(double unit) const;
  /// The mirror image, V(-x).
  Landscape mirrored() const;
};

/// Throws Error if the potential depends on time, or has no energy.
Landscape landscape_of(const Model& model, const ModelValues& values);

}  // namespace bmsim::theory
