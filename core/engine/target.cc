#include "engine/target.h"

#include <algorithm>
#include <cmath>

namespace bmsim {

namespace {

/// By what the paths must grow for one target; 1 or less when it is reached.
double growth(const Target& target, const Estimate& estimate) {
  const double wanted = std::max(target.absolute, target.relative * std::abs(estimate.value));
  const double ratio = estimate.error / wanted;
  return ratio * ratio;
}

double growth(const Plan& plan, const Estimates& estimates, size_t point) {
  double most = 0;
  for (const Target& target : plan.options.targets)
    most = std::max(most, growth(target, estimates.column(plan.column(target.column), point)));
  return most;
}

/// Whether more paths cannot help: it has diverged, or one ensemble of `paths` is too small to tell its error.
bool unknown(const Plan& plan, const Estimates& estimates, size_t point) {
  return std::any_of(plan.options.targets.begin(), plan.options.targets.end(), [&](const Target& target) {
    const Estimate& estimate = estimates.column(plan.column(target.column), point);
    return std::isnan(estimate.value) || std::isnan(estimate.error);
  });
}

}  // namespace

std::vector<Share> first_shares(const Plan& plan) {
  std::vector<Share> shares;
  for (uint32_t point = 0; point < plan.points.size(); ++point) shares.push_back({point, 0});
  return shares;
}

std::vector<Share> with_pushed(const Plan& plan, const std::vector<Share>& shares) {
  if (!plan.needs.force_step) return shares;
  std::vector<Share> all;
  for (const Share& share : shares) {
    all.push_back({share.point, share.number, true});
    all.push_back(share);
  }
  return all;
}

bool reached(const Plan& plan, const Estimates& estimates, size_t point) {
  return !unknown(plan, estimates, point) && growth(plan, estimates, point) <= 1;
}

std::vector<Share> more_shares(const Plan& plan, const Estimates& estimates) {
  constexpr double safety = 1.1, fastest = 4;
  const uint64_t most = std::max<uint64_t>(1, plan.options.limit / plan.options.paths);
  std::vector<Share> shares;
  for (uint32_t point = 0; point < plan.points.size(); ++point) {
    if (unknown(plan, estimates, point) || reached(plan, estimates, point)) continue;
    const uint64_t done = estimates.shares(point);
    const double factor = std::min(fastest, safety * growth(plan, estimates, point));
    const auto wanted = static_cast<uint64_t>(std::ceil(factor * static_cast<double>(done)));
    for (uint64_t number = done; number < std::min(most, wanted); ++number) shares.push_back({point, number});
  }
  return shares;
}

}  // namespace bmsim
