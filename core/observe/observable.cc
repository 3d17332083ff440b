#include "observe/observable.h"

#include <array>
#include <cmath>
#include <limits>

#include "error.h"

namespace bmsim {

Estimate mean(std::span<const double> values) {
  const double n = static_cast<double>(values.size());
  double sum = 0;
  for (const double value : values) sum += value;
  const double average = sum / n;
  double squares = 0;
  for (const double value : values) squares += (value - average) * (value - average);
  if (values.size() < 2) return {average, std::numeric_limits<double>::quiet_NaN()};
  return {average, std::sqrt(squares / (n - 1) / n)};
}

namespace {

/// <v> = <(x(t_f) - x(t_i)) / (t_f - t_i)>: equation (31) of the founding paper.
class Velocity : public Observable {
 public:
  std::string name() const override { return "velocity"; }
  Estimate estimate(const Window& window) const override {
    std::vector<double> velocities(window.start.size());
    for (size_t i = 0; i < velocities.size(); ++i) velocities[i] = (window.end[i] - window.start[i]) / window.duration;
    return mean(velocities);
  }
};

/// D = [Var x(t_f) - Var x(t_i)] / [2 (t_f - t_i)], the growth of the variance over the window. The error is that of
/// the mean of each path's share in it, which is the jackknife's to leading order in 1/n.
class Diffusion : public Observable {
 public:
  std::string name() const override { return "diffusion"; }
  Estimate estimate(const Window& window) const override {
    const size_t n = window.start.size();
    if (n < 2) return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    const double start = mean(window.start).value, end = mean(window.end).value;
    const double unbiased = static_cast<double>(n) / static_cast<double>(n - 1);
    std::vector<double> shares(n);
    for (size_t i = 0; i < n; ++i) {
      const double before = window.start[i] - start, after = window.end[i] - end;
      shares[i] = unbiased * (after * after - before * before) / (2 * window.duration);
    }
    return mean(shares);
  }
};

constexpr std::array<std::string_view, 2> known = {"velocity", "diffusion"};

}  // namespace

std::unique_ptr<Observable> make_observable(std::string_view name) {
  if (name == known[0]) return std::make_unique<Velocity>();
  if (name == known[1]) return std::make_unique<Diffusion>();
  fail("observe: unknown observable '{}'; known: {}", name, fmt::join(known, ", "));
}

}  // namespace bmsim
