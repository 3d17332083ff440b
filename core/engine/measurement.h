// Turns the moments, windows and recordings of a share into the estimates of observables.
#pragma once
#include <vector>

#include "backend/backend.h"
#include "engine/parts.h"

namespace bmsim {

/// Index of the velocity of a variable with inertia among all velocities.
size_t velocity_index(const Model& model, size_t variable);

class Measurement {
 public:
  Measurement(const EnsemblePlan& plan, const KernelLayout& layout) : plan_(plan), layout_(layout) {}
  /// Adds the values of observed formulas to the recordings.
  void evaluate_formulas(size_t point, Samples& samples) const;
  /// moments, windows: by variable. sums: of the counters. Of ShareResult::halves it only fills those of densities.
  ShareResult estimate(size_t point, const std::vector<WindowMoments>& moments, const std::vector<Window>& windows,
                       const Samples& samples, const std::vector<int64_t>& sums) const;

 private:
  Recording recording_of(size_t point, size_t observable, const Samples& samples) const;
  std::vector<Array> shapes_of(const Observable& observable, size_t point) const;
  void forget_errors(size_t observable, size_t point, std::vector<Estimate>& columns,
                     std::vector<std::vector<double>>& arrays) const;
  void drop_moments(size_t observable, size_t point, std::vector<Estimate>& columns,
                    std::vector<std::vector<double>>& arrays) const;

  const EnsemblePlan& plan_;
  const KernelLayout& layout_;
};

}  // namespace bmsim
