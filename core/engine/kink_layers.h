// Where a force jumps, or the amplitude of noise, positions at the ends of steps have a law of their own, within the
// noise of a step. Averages over a wider range know nothing of it, and neither does the check of the step, whose longer
// steps have such a layer, too.
#pragma once
#include <vector>

#include "engine/run.h"

namespace bmsim {

/// What the step does to the density of x about a kink of V, over that density: a peak, as wide as a step's drift, in a
/// dip as wide as a step's noise, which weighs about as much; the other way round on top of V. By forces of one size on
/// both sides, and good to a fifth where they are. It is not there with coarser noise than drift only.
class KinkLayer {
 public:
  KinkLayer(const Plan& plan, const Kink& kink, double dt);
  /// Its integral from one distance from the kink to another.
  double between(double from, double to) const { return up_to(to) - up_to(from); }
  double width() const { return noise_; }
  /// The density without it at a distance from the kink, over that at the kink, as the forces of one size make it.
  double falling(double x) const;
  /// What the layer lacks over the density at the kink, in lengths: it is everywhere else.
  double missing() const { return missing_; }
  /// The mean of it over the paths of a bin, with what the peak and the dip may differ from what is known of them.
  double in_bin(double from, double to) const;
  /// The integral with a dip that weighs as much as the peak.
  double balanced(double from, double to) const;

 private:
  double peak_up_to(double x) const;
  double dip_up_to(double x) const;
  double up_to(double x) const { return peak_up_to(x) - dip_up_to(x); }
  double sign_, drift_, noise_, edge_, slope_, depth_, length_, missing_;
};

/// Densities of x and averages of formulas that such layers make wrong by more than chance does, the worst number of
/// each at every point.
std::vector<StepCheck::Layer> errors_in_layers(const Plan& plan, const std::vector<std::vector<Estimate>>& columns,
                                               const std::vector<Array>& arrays);

}  // namespace bmsim
