// A model's potential at one point, as functions of x.
#pragma once
#include <vector>

#include "model/model.h"
#include "theory/mesh.h"

namespace bmsim::theory {

struct Landscape {
  Function energy, force;              ///< V(x) and -V'(x)
  double period = 0;                   ///< 0: none
  std::vector<double> breaks{};        ///< in [0, period): where V, or what makes it, changes from piece to piece
  std::vector<bm_segment> segments{};  ///< where V is piecewise linear: see bm_segment
  /// The same seen from the other side: V(-x).
  Landscape mirrored() const;
};

/// Throws Error if the potential depends on time, or has no energy.
Landscape landscape_of(const Model& model, const ModelValues& values);

}  // namespace bmsim::theory
