// Runs with coupled steps: level l makes steps of dt / 2^l, and a pair of runs with the steps of levels l and l - 1 has
// the same noise (kernels/coarse.h), so that what they differ by, the error of the step, has a small variance. Where
// steps of two lengths cannot have the same noise, the pair is of two ordinary runs.
#pragma once
#include <map>
#include <vector>

#include "engine/runner.h"

namespace bmsim {

/// Over shares of a point, of all that they estimate: columns, then arrays, one after the other.
struct ShareSums {
  uint64_t shares = 0;
  std::vector<double> mean, squares;  ///< squares: sum (x - mean)^2
  void add(const std::vector<double>& values);
  double variance(size_t i) const { return squares[i] / static_cast<double>(shares - 1); }
  Estimate at(size_t i) const;  ///< mean and its standard error, NaN of fewer than two shares
};

/// Of one level at one point.
struct LevelSums {
  ShareSums alone;       ///< of runs with steps of this level, in pairs or not
  ShareSums coarse;      ///< of those with twice the step, in pairs
  ShareSums difference;  ///< of the former less the latter
  ShareSums combined;    ///< coarse + difference * weight of a pair
};

class Levels {
 public:
  /// paths: of a share. weight: see LevelSums::combined.
  Levels(const Plan& plan, uint64_t paths, double weight, const RunHooks& hooks, RunOutcome& outcome);
  ~Levels();
  /// So many more shares of every point, as pairs or alone.
  void run_pairs(unsigned level, const std::vector<uint64_t>& shares);
  void run_alone(unsigned level, const std::vector<uint64_t>& shares);
  /// What part of the progress that is shown the next runs are.
  void show_as(double from, double part) { part_from_ = from, part_ = part; }
  const LevelSums& at(unsigned level, size_t point) const;
  /// What a first share gave of quantity number i, for arrays that are no estimates.
  double first(size_t point, size_t i) const { return first_[point][i]; }
  uint64_t paths(size_t point) const { return paths_[point]; }  ///< run so far, a pair counts once
  double steps(size_t point) const { return steps_[point]; }    ///< of all of them
  Kernel& kernel() { return *compiled_.kernel; }

 private:
  struct Level;
  Level& level(unsigned number);
  std::vector<Share> next_shares(unsigned number, const std::vector<uint64_t>& shares);
  void run_fine(Level& level, const std::vector<Share>& shares, bool in_pairs);
  void take_pair(Level& level, size_t point, const std::vector<double>& coarse);

  const Plan& plan_;
  uint64_t paths_per_share_;
  double weight_;
  const RunHooks& hooks_;
  RunHooks shown_;
  double shown_from_ = 0, shown_part_ = 1;  // of the progress of what is asked for
  double part_from_ = 0, part_ = 1;         // of the whole
  RunOutcome& outcome_;
  Compiled compiled_;
  std::unique_ptr<Kernel> coarse_kernel_;  ///< none where pairs are of ordinary runs
  std::map<unsigned, std::unique_ptr<Level>> levels_;
  std::vector<std::vector<double>> first_;
  std::vector<uint64_t> paths_;
  std::vector<double> steps_;
};

}  // namespace bmsim
