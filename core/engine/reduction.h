// From the paths of a batch to estimates per point.
#pragma once
#include <vector>

#include "engine/estimates.h"
#include "engine/run.h"

namespace bmsim {

/// What one more share of a point gives: by column, by array.
using ShareDone = std::function<void(size_t point, const std::vector<Estimate>& columns,
                                     const std::vector<std::vector<double>>& arrays)>;

/// Collects the windows of a share's paths, in their order, and hands it on when it is complete: a batch may end within
/// a share.
class Reduction {
 public:
  Reduction(const Plan& plan, const KernelLayout& layout, const RunHooks& hooks, RunOutcome& outcome, ShareDone done);
  /// A batch that has ended. first: the number of its first group, counted over the shares, which all have as many.
  void take(const Ensemble& ensemble, const Batch& batch, uint64_t first);

 private:
  double length_of(size_t point) const;
  bool take_on_device(const Ensemble& ensemble, const Batch& batch);
  void complete(size_t point, bool perturbed, const Samples& samples);
  Window window_of(size_t point);
  void note_divergence(size_t point);
  void estimate(size_t point, const WindowMoments& moments, const Window& window, const Samples& samples);
  void drop_moments(size_t observable, size_t point, std::vector<Estimate>& columns,
                    std::vector<std::vector<double>>& arrays) const;
  void add_sums(const std::vector<int64_t>& sums);
  void collect(const Samples& samples, size_t paths);
  Recording recording_of(size_t point, size_t observable, const Samples& samples) const;

  const Plan& plan_;
  const KernelLayout& layout_;
  const RunHooks& hooks_;
  RunOutcome& outcome_;
  ShareDone done_;
  uint64_t groups_per_share_;
  std::vector<std::vector<double>> paths_;  // by value, as Ensemble::window has them, of the point in hand
  std::vector<double> perturbed_;           // displacements of the paths under more force, before those without
  std::vector<int64_t> sums_;               // of the counters, of the share in hand
  size_t rows_;                             // of samples: marks times values
  std::vector<double> recorded_;            // rows of samples, each with room for all paths of the point
};

}  // namespace bmsim
