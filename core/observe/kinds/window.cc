// Observables from the two ends of the window, and from sums along the paths.
#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

/// Standard error of a mean over paths, from the sum of squared deviations; NaN for too few paths.
double standard_error(double squares, double paths) {
  return paths < fewest_parts ? nan : std::sqrt(squares / (paths - 1) / paths);
}

Estimate mean_displacement(const Measured& m) {
  return {m.moments.displacement, standard_error(m.moments.displacement_squares, m.moments.paths)};
}

/// Mean displacement with a control variate. Methods without steps know the displacement by all but V, and its mean.
/// The coefficient is that of the regression of displacements on it, and the error that of the regression's value at a
/// given place (S. S. Lavenberg, P. D. Welch, Management Science 27, 322, 1981).
Estimate controlled_displacement(const Measured& m) {
  constexpr double fewest = 64;       // paths
  constexpr double rounding = 1e-12;  // relative, of squares: both displacements are summed in single precision
  const double n = m.moments.paths, moved2 = m.moments.displacement_squares, control2 = m.moments.sum_squares,
               covariance = m.moments.displacement_with_sum;
  if (n < fewest || !(control2 > rounding * moved2)) return mean_displacement(m);
  const double excess = m.moments.sum - m.facts.push * m.facts.window();
  const double left = std::max(moved2 - covariance * covariance / control2, 0.0);
  return {m.moments.displacement - covariance / control2 * excess,
          std::sqrt(left / (n - 2) * (1 / n + excess * excess / control2) + rounding * moved2 / n)};
}

Estimate over_window(const Estimate& displacement, const Measured& m) {
  return {displacement.value / m.facts.window(), displacement.error / m.facts.window()};
}
Estimate velocity(const Measured& m) {
  return over_window(std::isfinite(m.facts.push) ? controlled_displacement(m) : mean_displacement(m), m);
}

/// Growth of the variance over twice the duration, and its covariance with the mean velocity.
struct Spread {
  Estimate rate;
  double covariance;
};
Spread spread(const Measured& m) {
  const double n = m.moments.paths;
  if (n < 2) return {{nan, nan}, nan};
  const double time = m.facts.window(), share = n / (n - 1) / (2 * time);  // unbiased variance
  const double covariance = share * m.moments.displacement_with_spread / (n - 1) / n / time;
  const Estimate rate = {share * m.moments.spread,
                         share * widening_of_squares(n) * standard_error(m.moments.spread_squares, n)};
  if (m.facts.tick == 0) return {rate, covariance};
  // All paths have the same number of ticks, but times of a variance window times tick; that of v t is subtracted.
  const Estimate v = over_window(mean_displacement(m), m);
  const double half = m.facts.tick / 2, var_v = v.error * v.error, by_v = -2 * half * v.value;
  return {{rate.value - half * (v.value * v.value - (std::isnan(var_v) ? 0 : var_v)),
           std::sqrt(std::max(rate.error * rate.error + 2 * by_v * covariance + by_v * by_v * var_v, 0.0))},
          covariance + by_v * var_v};
}

Estimate diffusion(const Measured& m) { return spread(m).rate; }

using Measure = Estimate (*)(const Measured&);
using NumbersOf = std::vector<double> (*)(const Measured&);
using OfPooled = Estimate (*)(const Pooled&, const PointFacts&);

struct Definition {
  const char *name, *symbol, *unit, *meaning;
  Measure measure;
  bool squares;
  double order, fewest;
  NumbersOf numbers = nullptr;  ///< to be pooled, for what is not linear in paths
  OfPooled of_pooled = nullptr;
};

class Scalar : public Observable {
 public:
  explicit Scalar(const Definition& definition) : d_(definition) {}
  std::string name() const override { return d_.name; }
  ColumnLabel label(const std::string&) const override { return {d_.symbol, d_.unit, d_.meaning}; }
  Needs needs() const override { return {.moments = true, .squares = d_.squares, .ticks = !d_.squares}; }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    columns = {d_.measure(m)};
  }
  bool of_spread() const override { return d_.order == 2 && !d_.squares; }
  std::vector<size_t> pooled_columns() const override {
    return d_.numbers == nullptr ? std::vector<size_t>() : std::vector<size_t>{0};
  }
  std::vector<double> pooled_numbers(const Measured& m) const override {
    return d_.numbers == nullptr ? std::vector<double>() : d_.numbers(m);
  }
  std::vector<ColumnEstimate> of_pooled(const Pooled& pooled, const PointFacts& facts) const override {
    return {{0, d_.of_pooled(pooled, facts)}};
  }
  double order(const std::string&) const override { return d_.order; }
  double fewest_paths() const override { return d_.fewest; }

 private:
  const Definition& d_;
};

Estimate velocity_squared(const Measured& m) {
  return {m.moments.sum / m.facts.steps, standard_error(m.moments.sum_squares, m.moments.paths) / m.facts.steps};
}
Estimate kinetic_energy(const Measured& m) {
  const Estimate v2 = velocity_squared(m);
  return {m.facts.mass * v2.value / 2, m.facts.mass * v2.error / 2};
}
// Fewest paths for the error of the ratio. With fewer, D is so uncertain (by an eighth) that the ratio is skewed.
constexpr double fewest_for_ratio = 128;
// Peclet number, with the sign of v: |v| would be biased where v is 0. The error is that of the delta method with the
// covariance of both estimates, which is the error of the jackknife to leading order in 1/n. No ratio if D may be 0.
Estimate peclet(const Measured& m) {
  const Estimate v = over_window(mean_displacement(m), m);
  const auto [D, covariance] = spread(m);
  const double length = m.facts.length(), n = m.moments.paths;
  if (!(D.value > (std::isnan(D.error) ? 0 : 2 * D.error))) return {nan, nan};
  const double by_v = 1 / D.value, by_D = -v.value / (D.value * D.value);
  const double square =
      by_v * by_v * v.error * v.error + 2 * by_v * by_D * covariance + by_D * by_D * D.error * D.error;
  // the bias of a ratio is removed to leading order
  const double var_D = std::pow(D.error / widening_of_squares(n), 2);
  const double bias = std::isnan(square) ? 0 : (v.value / D.value * var_D - covariance) / (D.value * D.value);
  return {(v.value / D.value - bias) * length,
          length * (std::isnan(square) || n < fewest_for_ratio ? nan : std::sqrt(std::max(0.0, square)))};
}

std::vector<double> numbers_of_peclet(const Measured& m) {
  return {over_window(mean_displacement(m), m).value, spread(m).rate.value};
}
Estimate peclet_of_pooled(const Pooled& pooled, const PointFacts& facts) {
  const double length = facts.length(), square = pooled.of(1, 1);
  if (!(pooled.mean[1] > (square > 0 ? 2 * std::sqrt(square) : 0))) return {nan, nan};
  return pooled.function([=](const std::vector<double>& x) { return x[0] / x[1] * length; });
}

constexpr Definition definitions[] = {
    // <v> = <(x(t_f) - x(t_i)) / (t_f - t_i)>: equation (31) of the founding paper
    {"velocity", "<v>", "length/time", "mean velocity", velocity, false, 1, fewest_parts},
    // [Var x(t_f) - Var x(t_i)] / [2 (t_f - t_i)], the growth of the variance over the window. The error is that of the
    // mean over the contributions of the paths, which is that of the jackknife to leading order in 1/n.
    {"diffusion", "D_eff", "length^2/time", "effective diffusion coefficient", diffusion, false, 2, fewest_parts},
    // averaged over the window and the paths
    {"velocity_squared", "<v^2>", "length^2/time^2", "mean squared velocity", velocity_squared, true, 2, fewest_parts},
    {"kinetic_energy", "m <v^2>/2", "energy", "mean kinetic energy", kinetic_energy, true, 2, fewest_parts},
    {"peclet", "Pe", "", "Peclet number <v> L/D_eff", peclet, false, 2, fewest_for_ratio, numbers_of_peclet,
     peclet_of_pooled},
};

template <size_t I> std::unique_ptr<Observable> scalar(const ObservableRequest& request) {
  Options(request).end();
  return std::make_unique<Scalar>(definitions[I]);
}

}  // namespace

const ObservableKind observable_velocity = {
    .name = "velocity",
    .summary = "<v>, the displacement of x in the window over its length",
    .make = scalar<0>,
};

const ObservableKind observable_diffusion = {
    .name = "diffusion",
    .summary = "the growth of Var x in the window, over twice its length",
    .make = scalar<1>,
};

const ObservableKind observable_velocity_squared = {
    .name = "velocity_squared",
    .summary = "<v^2> over the window",
    .make = scalar<2>,
    .of = ObservableKind::velocity,
};

const ObservableKind observable_kinetic_energy = {
    .name = "kinetic_energy",
    .summary = "m <v^2> / 2 over the window",
    .make = scalar<3>,
    .of = ObservableKind::velocity,
};

const ObservableKind observable_peclet = {
    .name = "peclet",
    .summary = "<v> L / D_eff, with the period L",
    .make = scalar<4>,
};

}  // namespace bmsim
