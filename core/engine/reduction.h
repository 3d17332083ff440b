// From the paths of a batch to estimates per point.
#pragma once
#include <functional>
#include <vector>

#include "engine/estimates.h"
#include "engine/parts.h"

namespace bmsim {

/// A part, or what of it is in a batch.
struct BatchedPart {
  Part part;
  uint64_t groups = 0;  ///< in this batch
};

/// Collects the windows of a part's paths, in order. A batch may end within a part.
class Reduction {
 public:
  /// What receives complete shares and pieces of others.
  struct Receiver {
    std::function<void(const Part&, ShareResult)> share;
    std::function<void(Piece)> piece;
  };
  Reduction(const EnsemblePlan& plan, const KernelLayout& layout, bool keep_windows, Receiver receiver);
  /// Takes a finished batch, which has the groups of these parts one after the other.
  void take(Ensemble& ensemble, const Batch& batch, const std::vector<BatchedPart>& parts);
  /// The result of a share from its pieces, in order; of perturbed paths, too, where an observable needs these.
  ShareResult assemble(const std::vector<Piece>& perturbed, const std::vector<Piece>& pieces);
  uint64_t groups_per_share() const { return groups_per_share_; }

 private:
  double length_of(size_t point, size_t variable) const;
  std::vector<double> units_of(size_t point) const;
  uint64_t paths_of(const Part& part) const;
  size_t take_on_device(Ensemble& ensemble, const std::vector<BatchedPart>& parts);
  void end_part(const Part& part, const Samples& samples);
  void give_piece(const Part& part);
  void add_piece(const Piece& piece);
  std::optional<ShareResult> complete(const Part& part, const Samples& samples);
  void keep(std::vector<Window> windows, ShareResult& result);
  Window window_of(size_t point, size_t variable) const;
  std::optional<Divergence> divergence(size_t point) const;
  /// Moments and windows, by variable.
  ShareResult estimate(size_t point, const std::vector<WindowMoments>& moments, const std::vector<Window>& windows,
                       const Samples& samples);
  void forget_errors(size_t observable, size_t point, std::vector<Estimate>& columns,
                     std::vector<std::vector<double>>& arrays) const;
  void drop_moments(size_t observable, size_t point, std::vector<Estimate>& columns,
                    std::vector<std::vector<double>>& arrays) const;
  void add_sums(const std::vector<int64_t>& sums);
  void evaluate_formulas(size_t point, Samples& samples) const;
  void collect(const Samples& samples, size_t paths, size_t all);
  Recording recording_of(size_t point, size_t observable, const Samples& samples) const;

  const EnsemblePlan& plan_;
  const KernelLayout& layout_;
  bool keep_windows_;
  Receiver receiver_;
  uint64_t groups_per_share_;
  std::vector<std::vector<double>> paths_;    // of the current part: by value, as in Ensemble::window, and path
  std::vector<double> perturbed_;             // displacements of the perturbed paths, which come before the others
  std::optional<Divergence> perturbed_ends_;  // the first of these that has diverged
  std::vector<int64_t> sums_;                 // of the counters, over the current part
  size_t rows_;                               // of samples: marks times values
  std::vector<double> recorded_;              // rows of samples, each with room for all paths of the part
};

}  // namespace bmsim
