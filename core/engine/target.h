// How many paths each point still needs to reach the targets of the run.
#pragma once
#include <vector>

#include "engine/estimates.h"

namespace bmsim {

/// Share `number` of a point, an ensemble of `paths` paths. Its trajectories have numbers that are number * points *
/// paths above those of share 0.
struct Share {
  uint32_t point;
  uint64_t number;
  bool perturbed = false;  ///< the same paths under more force; they come before the unperturbed ones
};

/// The first plan.replicas shares of every point.
std::vector<Share> replicas_of_each(const EnsemblePlan& plan);
/// The shares to begin with: those of replicas_of_each; with targets as many of every point as make 1024 paths, or the
/// limit.
std::vector<Share> first_shares(const Plan& plan);
/// Whether a point has reached all targets. A point that has diverged, or whose errors are nan, never does.
bool reached(const Plan& plan, const Estimates& estimates, size_t point);
/// Shares still to be run; none when all points have reached the targets or the limit. Errors fall as 1/sqrt(paths),
/// but are only estimates: so the paths of a point grow at most fourfold between two checks.
std::vector<Share> more_shares(const Plan& plan, const Estimates& estimates);
/// The number of steps of all paths that the targets are expected to take, from the errors known so far. Points without
/// shares are assumed to be like the others. NaN if no point has any.
double expected_steps(const Plan& plan, const Estimates& estimates);

}  // namespace bmsim
