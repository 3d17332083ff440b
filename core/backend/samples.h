// Recordings of the paths of one point, and sums over them, computed where they lie: on the host or on a device.
#pragma once
#include <math.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "kernels/abi.h"
#include "kernels/recorded.h"

namespace bmsim {

/// A formula of the `recorded` numbers at a mark, which its value joins as number `value` of `values`.
struct RecordedFormula {
  /// Its values at a mark on `count` paths, from the recorded numbers, each of which has one value per path.
  std::function<void(std::span<const double* const> numbers, size_t count, double* values)> on_host{};
  /// The same for devices: see bmsim_abi::FormulaLaunch.
  std::span<const bmsim_abi::FormulaOperation> operations{};
  std::span<const bmsim_abi::FormulaArgument> arguments{};
  std::vector<double> inputs{};
  uint32_t recorded = 1, values = 1, value = 0;
};

using bmsim_abi::Bins;

/// Stands for no row.
constexpr uint32_t no_row = 0xffffffff;

/// Products are summed in chunks of this many paths of a group, and each chunk in this many partial sums.
constexpr size_t product_chunk = 1024, product_threads = 64;

/// Number of path groups of a share, for errors: their scatter is known to 13 %, and histograms of all can be kept.
inline size_t path_groups_of(size_t paths) { return paths < 32 ? paths : 32; }

/// Row mark * values + value has one number per path: x / L (unfolded) of every variable, v of those with inertia, then
/// formulas of these. Sums are taken over groups of paths, from which errors are estimated; group g has the paths
/// [paths g / groups, paths (g + 1) / groups). Every implementation adds in the same order.
class Samples {
 public:
  using Rows = std::vector<uint32_t>;

  Samples(size_t paths) : paths_(paths), groups_(path_groups_of(paths)) {}
  virtual ~Samples() = default;
  size_t paths() const { return paths_; }
  size_t groups() const { return groups_; }
  size_t first_of(size_t group) const { return paths_ * group / groups_; }
  size_t size_of(size_t group) const { return first_of(group + 1) - first_of(group); }

  /// Sets the values of a formula at the first `marks` marks; NaN on paths that have diverged.
  virtual void evaluate(const RecordedFormula& formula, size_t marks) = 0;
  /// Numbers of the first `count` paths.
  virtual std::vector<double> row(uint32_t row, size_t count) const = 0;
  /// Sums of d, d^2, d^3, d^4 with d = value - value in row `from` - centre, for each row: shape (rows, groups, 4), for
  /// the first `groups` groups. from: one row for each, or none at all.
  virtual std::vector<double> powers(const Rows& rows, const Rows& from, const std::vector<double>& centres,
                                     size_t groups) const = 0;
  /// Sums of |value - value in row `from`|^q, q > 0: shape (rows, groups).
  virtual std::vector<double> absolute(const Rows& rows, uint32_t from, double q) const = 0;
  /// Counts of the pairs of values in rows a and b, by bin; every `per_slot` rows are counted together: shape (slots,
  /// groups, bins of b, bins of a). b: as many rows as a, or none. from: row that is subtracted from those of a.
  virtual std::vector<uint64_t> histogram(const Rows& a, const Bins& of_a, const Rows& b, const Bins& of_b,
                                          size_t per_slot, uint32_t from = no_row) const = 0;
  /// Sums of (value in row k - centre) (value in row k + lag - centre), over the paths and all k: shape (lags, groups).
  virtual std::vector<double> products(const Rows& rows, double centre, size_t lags) const = 0;
  /// Passages of the places i / count - 1/2 (mod 1) between rows, upwards minus downwards: (rows - 1, groups, count).
  virtual std::vector<int64_t> crossings(const Rows& rows, size_t count) const = 0;

 private:
  size_t paths_, groups_;
};

/// Samples in the memory of the host: row r begins at data[r * stride].
class HostSamples : public Samples {
 public:
  HostSamples(double* data, size_t stride, size_t paths) : Samples(paths), data_(data), stride_(stride) {}
  void evaluate(const RecordedFormula& formula, size_t marks) override;
  std::vector<double> row(uint32_t row, size_t count) const override;
  std::vector<double> powers(const Rows& rows, const Rows& from, const std::vector<double>& centres,
                             size_t groups) const override;
  std::vector<double> absolute(const Rows& rows, uint32_t from, double q) const override;
  std::vector<uint64_t> histogram(const Rows& a, const Bins& of_a, const Rows& b, const Bins& of_b, size_t per_slot,
                                  uint32_t from) const override;
  std::vector<double> products(const Rows& rows, double centre, size_t lags) const override;
  std::vector<int64_t> crossings(const Rows& rows, size_t count) const override;

 private:
  std::span<const double> part(uint32_t row, size_t group) const {
    return {data_ + row * stride_ + first_of(group), size_of(group)};
  }
  double* data_;
  size_t stride_;
};

}  // namespace bmsim
