#include "engine/target.h"

#include <algorithm>
#include <cmath>

#include "error.h"

namespace bmsim {

namespace {

/// Paths of a point before its errors are examined. An estimate and its error are correlated; for a variance the
/// coefficient is nearly 1. Stopping where an error happens to be small therefore biases the mean: in standard errors
/// by about the skewness of the averaged quantity over the square root of this number.
constexpr uint64_t first_look = 1024;
constexpr double safety = 1.1, fastest_growth = 4;  // of the number of paths, between two looks

/// Factor by which the number of paths must grow for one target; 1 or less if it is reached.
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

uint64_t most_shares(const Plan& plan) { return std::max<uint64_t>(1, plan.limit / plan.paths); }

/// Whether more paths cannot help: the point has diverged, or an ensemble of `paths` paths is too small for an error.
bool unknown(const Plan& plan, const Estimates& estimates, size_t point) {
  return std::ranges::any_of(plan.options.targets, [&](const Target& target) {
    const Estimate& estimate = estimates.column(plan.column(target.column), point);
    return std::isnan(estimate.value) || std::isnan(estimate.error);
  });
}

/// The first `count` shares of every point.
std::vector<Share> shares_of_each(const EnsemblePlan& plan, uint64_t count) {
  std::vector<Share> shares;
  for (uint32_t point = 0; point < plan.points.size(); ++point)
    for (uint64_t number = 0; number < count; ++number) shares.push_back({point, number});
  return shares;
}

}  // namespace

std::vector<Share> replicas_of_each(const EnsemblePlan& plan) { return shares_of_each(plan, plan.replicas); }

std::vector<Share> first_shares(const Plan& plan) {
  if (plan.options.targets.empty() || plan.together()) return replicas_of_each(plan);
  return shares_of_each(plan, std::clamp<uint64_t>((first_look + plan.paths / 2) / plan.paths, 1, most_shares(plan)));
}

bool reached(const Plan& plan, const Estimates& estimates, size_t point) {
  return !unknown(plan, estimates, point) && growth(plan, estimates, point) <= 1;
}

double expected_steps(const Plan& plan, const Estimates& estimates) {
  const auto most = static_cast<double>(most_shares(plan));
  double steps = 0, steps_of_known = 0, steps_of_all = 0;  // of_known, of_all: with one share of every point
  for (size_t point = 0; point < plan.points.size(); ++point) {
    const double steps_of_share = plan.points[point].time.steps * static_cast<double>(plan.paths);
    steps_of_all += steps_of_share;
    const auto done = static_cast<double>(estimates.shares(point));
    if (done == 0) continue;
    const double wanted = unknown(plan, estimates, point) ? done : done * growth(plan, estimates, point);
    steps += steps_of_share * std::clamp(std::ceil(safety * wanted), done, std::max(done, most));
    steps_of_known += steps_of_share;
  }
  return steps / steps_of_known * steps_of_all;
}

std::vector<Share> more_shares(const Plan& plan, const Estimates& estimates) {
  const uint64_t most = most_shares(plan);
  std::vector<Share> shares;
  for (uint32_t point = 0; point < plan.points.size(); ++point) {
    if (unknown(plan, estimates, point) || reached(plan, estimates, point)) continue;
    const uint64_t done = estimates.shares(point);
    const double factor = std::min(fastest_growth, safety * growth(plan, estimates, point));
    const auto wanted = static_cast<uint64_t>(std::ceil(factor * static_cast<double>(done)));
    for (uint64_t number = done; number < std::min(most, wanted); ++number) shares.push_back({point, number});
  }
  return shares;
}

}  // namespace bmsim
