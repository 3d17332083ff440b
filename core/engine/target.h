// Number of paths that each point still needs to reach the targets of the run.
#pragma once
#include <vector>

#include "engine/estimates.h"

namespace bmsim {

/// Share `number` of a point, an ensemble of `paths` paths: its trajectories are number * points * paths after those of
/// share 0.
struct Share {
  uint32_t point;
  uint64_t number;
  bool perturbed = false;  ///< the same paths under more force; comes before those without
};

/// One share of every point.
std::vector<Share> replicas_of_each(const EnsemblePlan& plan);
/// The first shares: one of every point; with targets as many as make 1024 paths, or the limit.
std::vector<Share> first_shares(const Plan& plan);
/// Whether a point has reached all targets. One that has diverged, or whose errors are nan, never has.
bool reached(const Plan& plan, const Estimates& estimates, size_t point);
/// Shares still to be run: none when all points have reached the targets or the limit. Errors fall as 1/sqrt(paths).
/// They are estimates themselves, so that the paths of a point grow at most fourfold between two checks.
std::vector<Share> more_shares(const Plan& plan, const Estimates& estimates);
/// Steps of all paths that the targets are expected to take, from the errors that are known; points without any are
/// taken to be like the others. NaN if none is known.
double expected_steps(const Plan& plan, const Estimates& estimates);

}  // namespace bmsim
