// How many more paths each point needs for the errors that a run is to go on until.
#pragma once
#include <vector>

#include "engine/estimates.h"

namespace bmsim {

/// One ensemble of `paths` paths of a point, the number-th: its trajectories are number * points * paths further on.
struct Share {
  uint32_t point;
  uint64_t number;
  bool perturbed = false;  ///< the same paths under more force; comes before those without
};

/// Throws Error for targets whose errors an ensemble of `paths` paths does not know.
void check_targets(const Plan& plan);
/// One share of every point; with targets as many as make 1024 paths, or the limit.
std::vector<Share> first_shares(const Plan& plan);
/// Whether all targets are reached at a point. One that has diverged, or whose errors are nan, never is.
bool reached(const Plan& plan, const Estimates& estimates, size_t point);
/// What is still to be done: none when all points have reached the targets or the limit. Errors fall as 1/sqrt(paths);
/// since they are estimates themselves, a point's paths grow at most fourfold before one looks again.
std::vector<Share> more_shares(const Plan& plan, const Estimates& estimates);
/// With each share, where an observable needs it, the perturbed one before it.
std::vector<Share> with_perturbed(const Plan& plan, const std::vector<Share>& shares);

}  // namespace bmsim
