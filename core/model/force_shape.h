// What a potential is like where a particle can be: how strong its force is, how fast that changes, and over what
// length. By sampling the host's instance of the potential, whatever it is made of: plugin, formula, table.
#pragma once
#include <map>
#include <vector>

#include "model/surroundings.h"

namespace bmsim {

struct ForceShape {
  double force = 0;      ///< largest |V'|
  double curvature = 0;  ///< largest |V''|, kinks apart
  double height = 0;     ///< largest V less smallest V
  double length =
      0;  ///< of the smallest structure: |V'|/|V''| of the largest ones, or from kink to kink; INFINITY: none
  bool kinks = false;  ///< V' jumps somewhere
};

/// Shapes of a potential at the points of a sweep; most sweeps change other things, so that they are kept.
class ForceShapes {
 public:
  /// Where there is a period, over one. Without one where V is at most so much above its lowest place between the
  /// starts that energy and force take a particle there. starts: the least and greatest initial x.
  const ForceShape& at(const Model& model, const ModelValues& values, const Surroundings& around,
                       std::pair<double, double> starts);

 private:
  std::map<std::vector<double>, ForceShape> known_;
};

}  // namespace bmsim
