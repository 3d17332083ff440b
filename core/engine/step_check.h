// Check of the step: beside every run a small independent ensemble makes steps two (four) times as long, on the same
// kernel. Its estimates differ from those of the run by three times the error of the step, if that error is of second
// (first) order.
//
// Coupled runs with h and h/2 see smaller errors with the same number of steps. But they need two more kernels, each of
// which takes a second to compile, and they have no advantage where paths forget their noise. Longer steps are cheap,
// so that more paths can make them, and their error is larger: with 4.5 % of a run's steps, errors of the step are seen
// from about six standard errors of the run on.
#pragma once
#include <memory>

#include "engine/runner.h"

namespace bmsim {

/// z such that |Z| > z has this probability for a standard normal Z, by Newton's method on erfc.
double normal_quantile_of_tails(double probability);

class StepChecker {
 public:
  /// Runs nothing if there is nothing to check, or if there are too few paths; StepCheck::text then says why.
  StepChecker(const Plan& plan, const RunHooks& hooks, const Backends& backends, const Kernels& kernels);
  ~StepChecker();
  StepChecker(const StepChecker&) = delete;
  StepChecker& operator=(const StepChecker&) = delete;
  /// Begins the same shares as the run has, to be run beside it; null if nothing is checked.
  Runner* begin(const std::vector<Share>& shares);
  /// Compares with the final estimates of the run.
  StepCheck compare(const Estimates& run) const;

 private:
  struct Ensemble;
  const Plan& plan_;
  std::unique_ptr<Ensemble> longer_;
  uint64_t shares_ = 0;  // of a point, if not as many as the run has
  std::string why_not_;
};

}  // namespace bmsim
