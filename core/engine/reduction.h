// From the paths of a batch to estimates per point.
#pragma once
#include <vector>

#include "engine/run.h"

namespace bmsim {

/// Collects the windows of a point's paths, in their order, and hands a point on when it is complete: a batch may end
/// within a point.
class Reduction {
 public:
  Reduction(const Plan& plan, const KernelLayout& layout, const RunHooks& hooks, RunOutcome& outcome);
  void take(const Ensemble& ensemble, const Batch& batch);

 private:
  double length_of(size_t point) const;
  bool take_on_device(const Ensemble& ensemble, const Batch& batch);
  void complete(size_t point);
  void note_divergence(size_t point);
  void estimate(size_t point, const WindowMoments& moments);
  void collect(const std::vector<double>& samples, size_t group, size_t groups, size_t wanted, double length);
  Recording recording_of(size_t point, size_t observable) const;

  const Plan& plan_;
  const KernelLayout& layout_;
  const RunHooks& hooks_;
  RunOutcome& outcome_;
  std::vector<std::vector<double>> paths_;     // by value, as Ensemble::window has them, of the point in hand
  std::vector<std::vector<double>> recorded_;  // by mark and value
};

}  // namespace bmsim
