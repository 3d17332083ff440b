// Where a force or the amplitude of noise jumps, positions at the ends of steps have a law of their own in a layer as
// wide as the noise of a step. Averages over a wider range do not show it, and neither does the check of the step,
// whose longer steps make such a layer, too.
#pragma once
#include <vector>

#include "engine/run.h"

namespace bmsim {

/// What the step does to the density of x about a kink of V, relative to that density: a peak as wide as a step's
/// drift, in a dip as wide as a step's noise, which weighs about as much; on top of V a dip in a peak. For forces of
/// equal size on both sides it is right to about a fifth. There is a layer only where noise takes a particle further in
/// a step than the drift.
class KinkLayer {
 public:
  KinkLayer(const Plan& plan, const Kink& kink, double dt);
  /// The integral of the layer between two distances from the kink.
  double between(double from, double to) const { return up_to(to) - up_to(from); }
  double width() const { return noise_; }
  /// The density without the layer at a distance from the kink, over that at the kink, for forces of equal size.
  double falling(double x) const;
  /// What the layer lacks, over the density at the kink: a length. All other places have it instead.
  double missing() const { return missing_; }
  /// The mean of the layer over the paths of a bin, enlarged by what peak and dip may differ from the known shapes.
  double in_bin(double from, double to) const;
  /// The integral between two distances if the dip weighs as much as the peak.
  double balanced(double from, double to) const;

 private:
  double peak_up_to(double x) const;
  double dip_up_to(double x) const;
  double up_to(double x) const { return peak_up_to(x) - dip_up_to(x); }
  double sign_, drift_, noise_, edge_, slope_, depth_, length_, missing_;
};

/// Densities of x and averages of formulas that such layers make wrong by more than chance does: the worst number of
/// each at every point.
std::vector<StepCheck::Layer> errors_in_layers(const Plan& plan, const std::vector<std::vector<Estimate>>& columns,
                                               const std::vector<Array>& arrays);

}  // namespace bmsim
