// The sums of kernels/counters/occupation.h: how they are laid out, and the times that they mean.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/counter.h"
#include "backend/samples.h"

namespace bmsim {

/// Bins [(i / bins - 1/2), ((i + 1) / bins - 1/2)) of x / L modulo 1, and the pieces of the potential, from edge[j] to
/// edge[j + 1]. A cell is what a bin and a piece have in common; each piece has a spare one at either end, where
/// rounding may put what is at its edge.
class Occupation {
 public:
  /// window: in steps. groups: those of Samples, of the paths of a point.
  Occupation(size_t bins, std::vector<double> edge, size_t paths, double window);

  /// What the kernel is told of it; the times of every path group are found from its sums.
  Counter counter() const;
  /// Steps that the paths of each group spent in each bin: shape (groups, bins).
  std::vector<double> times(std::span<const int64_t> sums) const;

 private:
  size_t pieces() const { return edge_.size() - 1; }
  size_t cells() const { return bins_ + 4 * pieces(); }
  std::vector<double> cell_shift() const;  // by piece: number of a cell less that of its bin
  size_t stride() const { return 2 * cells() + pieces(); }
  double place(double edge) const { return (edge + 0.5) * static_cast<double>(bins_); }  // in bins

  size_t bins_, groups_;
  std::vector<double> edge_;
  double units_;  // per step: a power of 2, so that no sum leaves 64 bits
};

}  // namespace bmsim
