// What kernels/occupation.h counts: how its sums are laid out, and the times that they mean.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/samples.h"

namespace bmsim {

/// Bins [(i / bins - 1/2), ((i + 1) / bins - 1/2)) of x / L modulo 1, and the pieces of the potential, from edge[j] to
/// edge[j + 1]. A cell is what a bin and a piece have in common; each piece has a spare one at either end, where
/// rounding may put what is at its edge.
class Occupation {
 public:
  /// Nothing is counted.
  Occupation() = default;
  /// window: in steps.
  Occupation(size_t bins, std::vector<double> edge, size_t paths, double window);

  size_t bins() const { return bins_; }
  size_t cells() const { return bins_ == 0 ? 0 : bins_ + 4 * pieces(); }
  size_t path_groups() const { return groups_; }        ///< those of Samples
  double units_per_step() const { return units_; }      ///< a power of 2: no sum leaves 64 bits
  std::vector<double> cell_shift() const;               ///< by piece: number of a cell less that of its bin
  size_t values() const { return groups_ * stride(); }  ///< of a share of a point

  /// Steps that the paths of each group spent in each bin: shape (groups, bins).
  std::vector<double> times(std::span<const int64_t> sums) const;

 private:
  size_t pieces() const { return edge_.size() - 1; }
  size_t stride() const { return bins_ == 0 ? 0 : 2 * cells() + pieces(); }
  double place(double edge) const { return (edge + 0.5) * static_cast<double>(bins_); }  // in bins

  size_t bins_ = 0, groups_ = 0;
  std::vector<double> edge_;
  double units_ = 1;
};

}  // namespace bmsim
