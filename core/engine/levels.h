// Runs with coupled steps: level l makes steps of dt / 2^l. The two runs of a pair, with the steps of levels l and
// l - 1, have the same noise (kernels/coarse.h), so that their difference, the error of the step, has a small variance.
// Where steps of two lengths cannot have the same noise, a pair consists of two ordinary runs.
#pragma once
#include <map>
#include <vector>

#include "engine/progress.h"
#include "engine/runner.h"
#include "plan/transient_check.h"

namespace bmsim {

/// The estimates of a share: columns, then arrays, one after the other; and its pooled numbers.
struct ShareValues {
  std::vector<double> values;
  std::vector<std::vector<double>> pooled;
};

/// Mean and scatter over the shares of a point. For columns that are functions of pooled numbers ask Levels instead.
struct ShareSums {
  uint64_t shares = 0;
  std::vector<double> mean, squares;  ///< squares: sum (x - mean)^2
  PoolSums pool{};
  /// turns: those of the first values, the columns; see turns_of
  void add(const ShareValues& share, const std::vector<double>& turns);
  double variance(size_t i) const { return squares[i] / static_cast<double>(shares - 1); }
  Estimate at(size_t i) const;  ///< mean and its standard error; the error is NaN for fewer than two shares
};

/// Sums of one level at one point.
struct LevelSums {
  ShareSums alone;       ///< runs with the steps of this level, in pairs or not
  ShareSums coarse;      ///< runs with twice the step, in pairs
  ShareSums difference;  ///< fine minus coarse run of a pair
  ShareSums combined;    ///< coarse + weight * difference of a pair
};

class Levels {
 public:
  /// paths: per share. weight: see LevelSums::combined. at_once: number of levels whose pairs may run side by side.
  Levels(const EnsemblePlan& plan, uint64_t paths, double weight, const RunHooks& hooks, RunOutcome& outcome,
         unsigned at_once = 0);
  ~Levels();
  /// Runs shares[point] more shares of every point.
  void run_alone(unsigned level, const std::vector<uint64_t>& shares);
  /// Runs pairs of several levels, shares[level][point]: side by side if launches queue.
  void run_pairs(const std::map<unsigned, std::vector<uint64_t>>& shares);
  /// Tells the displayed progress how many steps all runs still to come will take.
  void expect(double steps) { expected_ = forecast_.begun() + steps; }
  void end_progress() const { forecast_.end(); }
  /// Steps of all paths in a share of a point, alone or as a pair.
  double cost(unsigned level, size_t point, bool pair) const;
  const LevelSums& at(unsigned level, size_t point) const;
  /// Quantity i and its standard error: from runs of one kind; the difference of a pair; the sum of several parts,
  /// which have no paths in common.
  Estimate estimate(const ShareSums& sums, size_t point, size_t i) const;
  Estimate difference(const LevelSums& pairs, size_t point, size_t i) const;
  Estimate sum(const std::vector<const ShareSums*>& parts, size_t point, size_t i) const;
  /// The variance of a share's contribution to a quantity: runs of one kind, or differences of pairs.
  double variance(const ShareSums& sums, size_t point, size_t i) const;
  double variance_of_difference(const LevelSums& pairs, size_t point, size_t i) const;
  uint64_t pairs(unsigned level, size_t point) const;  ///< number of complete pairs
  /// Adds the halves of the windows of all paths of a point with the steps of this level.
  void add_halves(unsigned level, size_t point, Halves& to) const;
  /// Quantity i of the first share, for arrays that are not estimates.
  double first(size_t point, size_t i) const { return first_[point][i]; }
  uint64_t paths(size_t point) const { return paths_[point]; }  ///< paths run so far; a pair counts once
  double steps(size_t point) const { return steps_[point]; }    ///< steps of all these paths
  Kernel& kernel() { return *compiled_.kernels[0]; }

 private:
  struct Level;
  Level& level(unsigned number);
  std::vector<Share> next_shares(unsigned number, const std::vector<uint64_t>& shares);
  bool side_by_side() const;
  void run(const std::vector<Runner*>& runners, double steps);
  double steps_of(const EnsemblePlan& plan, const std::vector<Share>& shares) const;
  void count(const EnsemblePlan& plan, const std::vector<Share>& shares);
  void take_pairs(Level& level, size_t point);
  Pooled pooled(const ShareSums& sums, size_t i) const;
  double value(size_t point, size_t i, std::vector<double> numbers) const;

  const EnsemblePlan& plan_;
  uint64_t paths_per_share_;
  double weight_;
  unsigned at_once_;
  std::vector<double> turns_;  // of columns
  PooledColumns pooled_;
  RunHooks shown_;
  double expected_;
  Forecast forecast_;
  RunOutcome& outcome_;
  Compiled compiled_;
  Kernels coarse_kernels_;  ///< empty if pairs consist of ordinary runs
  std::map<unsigned, std::unique_ptr<Level>> levels_;
  std::vector<std::vector<double>> first_;
  std::vector<uint64_t> paths_;
  std::vector<double> steps_;
};

}  // namespace bmsim
