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

/// Standard error of a mean over paths from the sum of squares about it; NaN for a single path.
double standard_error(double squares, double paths) {
  return paths < 2 ? std::numeric_limits<double>::quiet_NaN() : std::sqrt(squares / (paths - 1) / paths);
}

/// <v> = <(x(t_f) - x(t_i)) / (t_f - t_i)>: equation (31) of the founding paper.
class Velocity : public Observable {
 public:
  std::string name() const override { return "velocity"; }
  Estimate estimate(const WindowMoments& m, double duration, double) const override {
    return {m.displacement / duration, standard_error(m.displacement_squares, m.paths) / duration};
  }
};

/// D = [Var x(t_f) - Var x(t_i)] / [2 (t_f - t_i)], the growth of the variance over the window. The error is that of
/// the mean of each path's share in it, which is the jackknife's to leading order in 1/n.
class Diffusion : public Observable {
 public:
  std::string name() const override { return "diffusion"; }
  Estimate estimate(const WindowMoments& m, double duration, double) const override {
    const double share = m.paths / (m.paths - 1) / (2 * duration);  // with the unbiased variance; NaN for a single path
    const double value = m.paths < 2 ? std::numeric_limits<double>::quiet_NaN() : share * m.spread;
    return {value, share * standard_error(m.spread_squares, m.paths)};
  }
};

/// <v^2>, averaged over the window and over the paths. Underdamped only.
class VelocitySquared : public Observable {
 public:
  std::string name() const override { return "velocity_squared"; }
  bool needs_squares() const override { return true; }
  Estimate estimate(const WindowMoments& m, double, double steps) const override {
    return {m.squares / steps, standard_error(m.squares_squares, m.paths) / steps};
  }
};

constexpr std::array<std::string_view, 3> known = {"velocity", "diffusion", "velocity_squared"};

}  // namespace

std::unique_ptr<Observable> make_observable(std::string_view name) {
  if (name == known[0]) return std::make_unique<Velocity>();
  if (name == known[1]) return std::make_unique<Diffusion>();
  if (name == known[2]) return std::make_unique<VelocitySquared>();
  fail("observe: unknown observable '{}'; known: {}", name, fmt::join(known, ", "));
}

}  // namespace bmsim
