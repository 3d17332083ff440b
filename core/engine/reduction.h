// From the paths of a batch to estimates per point.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "backend/backend.h"
#include "engine/parts.h"

namespace bmsim {

/// Index of the velocity of a variable with inertia among all velocities.
size_t velocity_index(const Model& model, size_t variable);

/// From the windows of paths to estimates.
class Reduction {
 public:
  /// What receives complete shares and pieces of others, and has rows for the paths of these.
  struct Receiver {
    std::function<void(const Part&, ShareResult)> share;
    std::function<void(Piece)> piece;
    std::function<std::shared_ptr<ShareRows>(const Part&)> rows;
  };
  Reduction(const EnsemblePlan& plan, const KernelLayout& layout, bool keep_windows, Receiver receiver);
  /// Takes a finished batch of these parts.
  void take(Ensemble& ensemble, const std::vector<Part>& parts);
  /// For the paths of a share.
  std::shared_ptr<ShareRows> make_rows() const;
  /// The result of a share from its pieces, in order; of perturbed paths, too, where an observable needs these.
  ShareResult assemble(const std::vector<Piece>& perturbed, const std::vector<Piece>& pieces);
  uint64_t groups_per_share() const { return groups_per_share_; }
  /// Groups of a bundle of paths, of which pieces should have whole numbers: 1 where it makes no difference.
  uint64_t groups_per_bundle() const;

 private:
  double length_of(size_t point, size_t variable) const;
  std::vector<double> units_of(size_t point) const;
  uint64_t paths_of(const Part& part) const;
  bool is_whole(const Part& part) const { return part.groups == groups_per_share_; }
  /// Whether every single path of a share is needed in one place.
  bool keeps_paths() const { return keep_windows_ || plan_.needs.windows || rows_ > 0; }
  size_t variable_count() const { return plan_.model.variables().size(); }
  bool has_whole_bundles(const Part& part) const;
  void convert(size_t point, double* values, size_t stride, size_t paths);
  void take_in_slices(Ensemble& ensemble, const std::vector<Part>& parts);
  size_t take_on_device(Ensemble& ensemble, const std::vector<Part>& parts);
  Bundles empty_bundles(size_t point, size_t first, size_t count) const;
  Bundles bundles_of(size_t point, size_t first, size_t paths, size_t held) const;
  std::vector<Bundles> bundles_on(Ensemble& device, std::span<const Part> parts) const;
  void give_piece(const Part& part, std::shared_ptr<ShareRows> rows, const Samples& samples);
  std::optional<ShareResult> complete(const Part& part, const Samples& samples);
  ShareResult put_together(const std::vector<Piece>& pieces);
  ShareResult result_of(size_t point, const Bundles& bundles, const std::vector<Window>& windows,
                        const Samples& samples);
  Window window_of(size_t point, size_t variable) const;
  std::optional<Divergence> divergence(size_t point, size_t first) const;
  bool compares_halves(size_t point) const;
  HalfMoments in_time(size_t point, HalfMoments per_step) const;
  HalfMoments halves_of(size_t point, const HalvedSum& one, const Window& window) const;
  void add_sums(const std::vector<int64_t>& sums);
  // engine/measurement.cc
  void evaluate_formulas(size_t point, Samples& samples) const;
  Recording recording_of(size_t point, size_t observable, const Samples& samples) const;
  std::vector<Array> shapes_of(const Observable& observable, size_t point) const;
  void forget_errors(size_t observable, size_t point, std::vector<Estimate>& columns,
                     std::vector<std::vector<double>>& arrays) const;
  void drop_moments(size_t observable, size_t point, std::vector<Estimate>& columns,
                    std::vector<std::vector<double>>& arrays) const;
  /// moments, windows: by variable. sums: of the counters. Of ShareResult::halves it only fills those of densities.
  ShareResult estimate(size_t point, const std::vector<WindowMoments>& moments, const std::vector<Window>& windows,
                       const Samples& samples, const std::vector<int64_t>& sums) const;

  const EnsemblePlan& plan_;
  const KernelLayout& layout_;
  bool keep_windows_;
  Receiver receiver_;
  uint64_t groups_per_share_;
  std::unique_ptr<double[]> memory_;  // for the windows of batches; kept, since touching it first takes longest
  size_t room_ = 0;
  std::vector<std::span<const double>> paths_;  // of the current part: by value, as in Ensemble::window, and path
  std::vector<std::vector<double>> kept_;       // the same, if windows are kept
  std::vector<double> perturbed_;               // displacements of the perturbed paths, which come before the others
  std::optional<Divergence> perturbed_ends_;    // the first of these that has diverged
  std::vector<int64_t> sums_;                   // of the counters, over the current part
  size_t rows_;                                 // of samples: marks times values
};

}  // namespace bmsim
