// A model's potential at one point, as functions of x.
#pragma once
#include <vector>

#include "model/model.h"
#include "theory/mesh.h"

namespace bmsim::theory {

struct Landscape {
  Function energy, force;              ///< V(x) and -V'(x)
  double period = 0;                   ///< 0: none
  std::vector<double> breaks{};        ///< in [0, period): ends of the pieces that V, or its formula, is made of
  std::vector<bm_segment> segments{};  ///< if V is piecewise linear: see bm_segment
  /// The mirror image, V(-x).
  Landscape mirrored() const;
};

/// Throws Error if the potential depends on time, or has no energy.
Landscape landscape_of(const Model& model, const ModelValues& values);

}  // namespace bmsim::theory
