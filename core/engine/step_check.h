// Check of the step: beside every run a small independent ensemble makes steps two (four) times as long, with the same
// kernel. Its estimates differ from those of the run by three times the error of the step, if that error is of second
// (first) order.
//
// Coupled runs with h and h/2 would see smaller errors with the same number of steps. But they need two more kernels,
// each of which takes a second to compile, and they have no advantage where paths forget their noise. Longer steps are
// cheap, so that more paths can make them, and their error is larger: with 4.5 % of a run's steps, errors of the step
// are seen if they are above about six standard errors of the run.
//
// The error may by chance have the same value for both lengths, if a part of higher order has the other sign. This
// takes a step that is not short against the motion. At such points a second ensemble makes steps three times as long,
// and the error is also found from all three lengths, as one with parts of second and fourth order.
//
// At walls, at kinks, and with some amplitudes of noise the error is of first order at worst. Often it falls faster,
// and would then seem too large, up to many times. So where an error of first order is seen, a third ensemble makes
// steps of a length between, after the run, and tells the order.
#pragma once
#include <cmath>
#include <memory>
#include <optional>
#include <vector>

#include "engine/runner.h"

namespace bmsim {

class StepChecker {
 public:
  /// Does nothing if there is nothing to check, or if there are too few paths; StepCheck::text then says why.
  StepChecker(const Plan& plan, const RunHooks& hooks, const Backends& backends, const Kernels& kernels);
  ~StepChecker();
  /// Begins the same shares as the run, to be run beside it. Returns the runners; none if nothing is checked.
  std::vector<Runner*> begin(const std::vector<Share>& shares);
  /// Runs steps of a length between at points where the final estimates of the run show an error of first order.
  void find_orders(const Estimates& run);
  /// Compares the check with the final estimates of the run.
  StepCheck compare(const Estimates& run) const;

 private:
  struct Ensemble;
  struct Pair;
  struct Fit {
    double error = NAN, error_of_it = NAN;
  };
  std::optional<size_t> place_between(size_t i) const;
  bool usable_between(size_t k, size_t observable, size_t element, size_t size) const;
  bool has_diverged(const Estimates& run, size_t point) const;
  StepCheck::Seen judge(const Ensemble& ensemble, size_t i, const Pair& pair, double scale, double quantile) const;
  void compare_columns(const Estimates& run, double false_alarms_here, StepCheck& check) const;
  void compare_arrays(const Estimates& run, double false_alarms_here, StepCheck& check) const;
  Fit fit(size_t column, size_t point, const Estimates& run) const;
  void judge_fit(StepCheck::Seen& seen, const Fit& fit, double z) const;
  void judge_order(StepCheck::Seen& seen, const Pair& pair, const Estimate& between, double by_longer,
                   double by_between, double quantile) const;

  const Plan& plan_;
  const Backends& backends_;
  const Kernels& kernels_;
  std::vector<Share> begun_;  // shares of the run so far
  std::unique_ptr<Ensemble> longer_;
  std::unique_ptr<Ensemble> thrice_;   // null if no step is long enough to need it
  std::unique_ptr<Ensemble> between_;  // null if no error of first order is seen
  uint64_t shares_ = 0;                // most shares of a point; 0: as many as the run has
  std::string why_not_;
};

/// Densities of x and averages of formulas that layers (engine/kink_layers.cc) make wrong by more than chance does: the
/// worst number of each at every point.
std::vector<StepCheck::Layer> errors_in_layers(const Plan& plan, const std::vector<std::vector<Estimate>>& columns,
                                               const std::vector<Array>& arrays);

}  // namespace bmsim
