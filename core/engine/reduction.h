// From the paths of a batch to estimates per point.
#pragma once
#include <vector>

#include "engine/estimates.h"
#include "engine/run.h"

namespace bmsim {

/// Receives the estimates of one more share of a point: by column, by array.
using ShareDone = std::function<void(size_t point, const std::vector<Estimate>& columns,
                                     const std::vector<std::vector<double>>& arrays)>;

/// Collects the windows of a share's paths, in order, and passes the share on when it is complete. A batch may end
/// within a share.
class Reduction {
 public:
  Reduction(const EnsemblePlan& plan, const KernelLayout& layout, const RunHooks& hooks, RunOutcome& outcome,
            ShareDone done);
  /// Takes a finished batch. first: number of its first group, counted over all shares, which have equally many groups.
  void take(Ensemble& ensemble, const Batch& batch, uint64_t first);

 private:
  double length_of(size_t point, size_t variable) const;
  std::vector<double> units_of(size_t point) const;
  bool take_on_device(Ensemble& ensemble, const Batch& batch);
  void complete(size_t point, bool perturbed, const Samples& samples);
  Window window_of(size_t point, size_t variable) const;
  void note_divergence(size_t point);
  /// Moments and windows, by variable.
  void estimate(size_t point, const std::vector<WindowMoments>& moments, const std::vector<Window>& windows,
                const Samples& samples);
  void forget_errors(size_t observable, size_t point, std::vector<Estimate>& columns,
                     std::vector<std::vector<double>>& arrays) const;
  void drop_moments(size_t observable, size_t point, std::vector<Estimate>& columns,
                    std::vector<std::vector<double>>& arrays) const;
  void add_sums(const std::vector<int64_t>& sums);
  void evaluate_formulas(size_t point, Samples& samples) const;
  void collect(const Samples& samples, size_t paths);
  Recording recording_of(size_t point, size_t observable, const Samples& samples) const;

  const EnsemblePlan& plan_;
  const KernelLayout& layout_;
  const RunHooks& hooks_;
  RunOutcome& outcome_;
  ShareDone done_;
  uint64_t groups_per_share_;
  std::vector<std::vector<double>> paths_;  // of the current share: by value, as in Ensemble::window, and path
  std::vector<double> perturbed_;           // displacements of the perturbed paths, which come before the others
  std::vector<int64_t> sums_;               // of the counters, over the current share
  size_t rows_;                             // of samples: marks times values
  std::vector<double> recorded_;            // rows of samples, each with room for all paths of the point
};

}  // namespace bmsim
