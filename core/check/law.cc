// Checks the bm_chain or bm_kicks of a noise against the mean and the intensity that it declares.
#include <Eigen/Dense>
#include <algorithm>
#include <array>
#include <cmath>

#include "check/findings.h"
#include "check/noise.h"
#include "model/memoryless.h"

namespace bmsim::checks {
namespace {

constexpr double rounding = 1e-9;

bool differ(double a, double b, double size) { return !(std::abs(a - b) <= rounding * std::max(std::abs(b), size)); }

/// What follows from a bm_chain or bm_kicks.
struct Numbers {
  double mean, intensity;
};

/// Mean and intensity of a chain, from its stationary law p. The intensity is the integral of the autocorrelation, the
/// sum of p g h with Q h = -g.
Numbers of_chain(const MemorylessNoise& noise) {
  const auto n = static_cast<Eigen::Index>(noise.force.size());
  Eigen::MatrixXd Q = Eigen::MatrixXd::Zero(n, n), law(n + 1, n), potential(n + 1, n);
  for (Eigen::Index i = 0; i < n; ++i)
    for (Eigen::Index k = 0; k < n; ++k) {
      if (i == k) continue;
      const double rate =
          noise.rate[static_cast<size_t>(i)] * noise.next[static_cast<size_t>(i)][static_cast<size_t>(k)];
      Q(i, k) += rate;
      Q(i, i) -= rate;
    }
  law << Q.transpose(), Eigen::RowVectorXd::Ones(n);
  const Eigen::VectorXd p = law.completeOrthogonalDecomposition().solve(Eigen::VectorXd::Unit(n + 1, n));
  const Eigen::VectorXd f = Eigen::Map<const Eigen::VectorXd>(noise.force.data(), n);
  const double mean = p.dot(f);
  const Eigen::VectorXd g = f.array() - mean;
  potential << Q, p.transpose();
  Eigen::VectorXd right(n + 1);
  right << -g, 0;
  const Eigen::VectorXd h = potential.completeOrthogonalDecomposition().solve(right);
  return {mean, (p.array() * g.array() * h.array()).sum()};
}

std::string wrong_states(const MemorylessNoise& noise) {
  constexpr size_t most = 64;
  if (noise.force.size() < 2 || noise.force.size() > most)
    return fmt::format("a chain must have 2 to {} states, got {}", most, noise.force.size());
  for (size_t i = 0; i < noise.force.size(); ++i) {
    if (!std::isfinite(noise.force[i])) return fmt::format("the force of state {} must be finite", i);
    if (!(noise.rate[i] > 0 && std::isfinite(noise.rate[i])))
      return fmt::format("the rate of state {} must be > 0, got {}", i, noise.rate[i]);
    double sum = 0;
    for (const double next : noise.next[i]) {
      if (!(next >= 0)) return fmt::format("the probabilities of state {} must be >= 0, got {}", i, next);
      sum += next;
    }
    if (differ(sum, 1, 0)) return fmt::format("the probabilities of state {} must have the sum 1, got {}", i, sum);
  }
  return "";
}

/// Mean velocity and intensity of kicks. Throws Error if their law is wrong.
Numbers of_kicks(const MemorylessNoise& noise) {
  const MemorylessNoise::Kicks& kicks = *noise.kicks;
  const double z = kicks.zeta, squares = z * z;
  struct Law {
    std::string_view word;
    double mean, half_square;
  };
  const std::array laws = {Law{"exponential", z, squares}, Law{"constant", z, squares / 2},
                           Law{"gaussian", z, (squares + kicks.sigma * kicks.sigma) / 2}, Law{"two_sided", 0, squares},
                           Law{"uniform", z, 2 * squares / 3}};
  const auto* law = std::ranges::find(laws, kicks.law, &Law::word);
  if (law == laws.end()) fail("the law of kicks must be a word of bm_kicks, got '{}'", kicks.law);
  const double rate = noise.rate[0];
  if (!(rate > 0 && std::isfinite(rate))) fail("the rate of kicks must be > 0, got {}", rate);
  if (differ(kicks.a, rate * law->mean, 0))
    fail("the mean of all kicks must be rate times theirs, {:.6g}, got {:.6g}", rate * law->mean, kicks.a);
  return {noise.force[0] + kicks.a, rate * law->half_square};
}

std::string wrong(const Plugin& plugin, const Setting& setting) {
  const std::vector<double>& values = setting.resolved.values;
  const std::optional<MemorylessNoise> noise = memoryless(plugin, values);
  if (!noise) return "";
  if (!noise->kicks)
    if (std::string words = wrong_states(*noise); !words.empty()) return words;
  const Numbers found = noise->kicks ? of_kicks(*noise) : of_chain(*noise);
  const auto [least, most] = std::ranges::minmax(noise->force);
  const double size = std::max(std::abs(least), std::abs(most)), slowest = std::ranges::min(noise->rate);
  const std::optional<double> mean = plugin.mean(values.data()), intensity = plugin.intensity(values.data());
  if (mean && differ(found.mean, *mean, size))
    return fmt::format("it must have the mean {:.6g} as mean() declares, got {:.6g}", *mean, found.mean);
  if (intensity && differ(found.intensity, *intensity, noise->kicks ? 0 : size * size / slowest))
    return fmt::format("it must have the intensity {:.6g} as intensity() declares, got {:.6g}", *intensity,
                       found.intensity);
  return "";
}

}  // namespace

void check_declared_law(const Plugin& plugin, std::span<const Setting> settings,
                        const std::function<void(const Finding&)>& tell) {
  if (!is_memoryless(plugin)) return;
  const char* what = plugin.extension(BM_CHAIN) != nullptr ? "chain" : "kicks";
  tell(check_settings(what, settings, [&](const Setting& setting) { return wrong(plugin, setting); }));
}

}  // namespace bmsim::checks
