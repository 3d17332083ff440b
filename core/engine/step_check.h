// Whether the step was short enough, measured: beside every run a small ensemble of its own makes steps two (four)
// times as long, on the same kernel. What it differs by is three times the error of the step, if that is of second
// (first) order.
//
// Coupled runs with h and h/2 see smaller errors for as many steps, but need two more kernels, a second to compile
// each, and lose that where paths forget their noise. Longer steps are cheap, so that more paths make them, and the
// error of longer steps is larger: with 4.5 % of a run's steps an error of the step is seen from some six standard
// errors of the run on.
#pragma once
#include <memory>

#include "engine/runner.h"

namespace bmsim {

class StepChecker {
 public:
  /// Nothing is run where there is nothing to check or too few paths: see why_not.
  StepChecker(const Plan& plan, Backend& backend, Kernel& kernel);
  ~StepChecker();
  StepChecker(const StepChecker&) = delete;
  StepChecker& operator=(const StepChecker&) = delete;
  /// The same shares as the run's, launch by launch beside it.
  void begin(const std::vector<Share>& shares);
  bool advance();
  /// What is seen when the run's own estimates are known.
  StepCheck compare(const Estimates& run) const;

 private:
  struct Ensemble;
  const Plan& plan_;
  std::unique_ptr<Ensemble> longer_;
  std::string why_not_;
};

}  // namespace bmsim
