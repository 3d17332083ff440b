// The sums of kernels/counters/occupation.h: their layout, and the times that they stand for.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "backend/counter.h"
#include "backend/samples.h"

namespace bmsim {

/// Time spent in bins [(i / bins - 1/2), ((i + 1) / bins - 1/2)) of x / L modulo 1. The potential has pieces, from
/// edge[j] to edge[j + 1]; a cell is the intersection of a bin and a piece. Each piece has a spare cell at either end,
/// for positions that rounding moves across its edge.
class Occupation {
 public:
  /// window: in steps. paths: of a point; they form the groups of Samples.
  Occupation(size_t bins, std::vector<double> edge, size_t paths, double window);

  /// The counter of the kernel, from whose sums times() finds those of every path group.
  Counter counter() const;
  /// Time, in steps, that the paths of each group spent in each bin: shape (groups, bins).
  std::vector<double> times(std::span<const int64_t> sums) const;

 private:
  size_t pieces() const { return edge_.size() - 1; }
  size_t cells() const { return bins_ + 4 * pieces(); }
  std::vector<double> cell_shift() const;  // by piece: index of a cell minus that of its bin
  size_t stride() const { return 2 * cells() + pieces(); }
  double place(double edge) const { return (edge + 0.5) * static_cast<double>(bins_); }  // in bins

  size_t bins_, groups_;
  std::vector<double> edge_;
  double units_;  // units of time per step: a power of 2, such that no sum exceeds 64 bits
};

}  // namespace bmsim
