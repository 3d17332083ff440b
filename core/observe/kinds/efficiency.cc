// Efficiencies of an inertial Brownian motor. In a stationary state drives, kicks and all other noise except the bath's
// supply the power P_in = gamma <v^2> - D/m - f <v>: loss to friction, minus supply by the bath, minus work of the
// constant force f, the load. Energetic: work against the load, -f <v> / P_in. Stokes: drag of the mean motion, gamma
// <v>^2 / P_in (H. Wang, G. Oster, Europhys. Lett. 57, 134, 2002). Rectification: sum of both (D. Suzuki, T. Munakata,
// Phys. Rev. E 68, 021906, 2003), which is <v>^2 / (<v^2> - T/m) without a load (L. Machura et al., Phys. Rev. E 70,
// 061105, 2004).
#include "observe/known.h"
#include "observe/options.h"

namespace bmsim {

namespace {

/// <v> and <v^2> with the covariance matrix of their estimates.
struct Speeds {
  double v, v2, var_v, covariance, var_v2;

  explicit Speeds(const Measured& m) {
    const double n = m.moments.paths, time = m.facts.window(), steps = m.facts.steps;
    const double share = n < fewest_parts ? nan : 1 / (n * (n - 1));
    v = m.moments.displacement / time;
    v2 = m.moments.sum / steps;
    var_v = share * m.moments.displacement_squares / (time * time);
    covariance = share * m.moments.displacement_with_sum / (time * steps);
    var_v2 = share * m.moments.sum_squares / (steps * steps);
  }
  /// Standard error of a function of <v> and <v^2> with these derivatives, to leading order in 1 / n.
  double error(double by_v, double by_v2) const {
    const double square = by_v * by_v * var_v + 2 * by_v * by_v2 * covariance + by_v2 * by_v2 * var_v2;
    return square < 0 ? 0 : std::sqrt(square);  // negative by rounding only; nan stays
  }
};

class Efficiency : public Observable {
 public:
  explicit Efficiency(Options options) { options.end(); }
  std::string name() const override { return "efficiency"; }
  std::vector<std::string> columns() const override {
    return {"efficiency_energetic", "efficiency_stokes", "efficiency_rectification"};
  }
  ColumnLabel label(const std::string& column) const override {
    const std::string kind = column.substr(name().size() + 1);
    return {"eta_" + kind, "", (kind == "stokes" ? "Stokes" : kind) + " efficiency"};
  }
  Needs needs() const override { return {.moments = true, .squares = true}; }
  void measure(const Measured& m, std::vector<Estimate>& columns, std::vector<std::vector<double>>&) const override {
    const Speeds speeds(m);
    const double f = m.facts.force, gamma = m.facts.gamma, v = speeds.v;
    const double power = gamma * speeds.v2 - m.facts.thermal / m.facts.mass - f * v, error = speeds.error(-f, gamma);
    // A power compatible with 0 gives no ratio. A single path has no error that would tell.
    const bool has_power = power > (std::isnan(error) ? 0 : 4 * error);
    // The bias of a ratio, and of a square, is removed to leading order. by_v is d work/dv, curvature its derivative.
    const double with_power = gamma * speeds.covariance - f * speeds.var_v;  // covariance of v with the power
    const auto ratio = [&](double work, double by_v, double curvature) -> Estimate {
      if (!has_power) return {nan, nan};
      const double eta = work / power;
      const double bias =
          (curvature * speeds.var_v / 2 - by_v * with_power / power + eta * error * error / power) / power;
      return {eta - (std::isnan(bias) ? 0 : bias), speeds.error((by_v + eta * f) / power, -eta * gamma / power)};
    };
    const double load = 0 - f * v, drag = gamma * v * v;  // 0, not -0, without a load
    columns = {ratio(load, -f, 0), ratio(drag, 2 * gamma * v, 2 * gamma),
               ratio(load + drag, 2 * gamma * v - f, 2 * gamma)};
  }
  std::vector<size_t> pooled_columns() const override { return {0, 1, 2}; }
  std::vector<double> pooled_numbers(const Measured& m) const override {
    const Speeds speeds(m);
    return {speeds.v, speeds.v2};
  }
  std::vector<ColumnEstimate> of_pooled(const Pooled& pooled, const PointFacts& facts) const override {
    const double f = facts.force, gamma = facts.gamma, bath = facts.thermal / facts.mass;
    const auto power = [=](const std::vector<double>& x) { return gamma * x[1] - bath - f * x[0]; };
    const Estimate supplied = pooled.function(power);
    const bool has_power = supplied.value > (std::isnan(supplied.error) ? 0 : 4 * supplied.error);
    std::vector<ColumnEstimate> column_estimates;
    for (const size_t column : {0, 1, 2}) {
      const double load = column == 1 ? 0 : f, drag = column == 0 ? 0 : gamma;
      const auto ratio = [=](const std::vector<double>& x) {
        return (0 - load * x[0] + drag * x[0] * x[0]) / power(x);
      };
      column_estimates.push_back({column, has_power ? pooled.function(ratio) : Estimate{nan, nan}});
    }
    return column_estimates;
  }
  double order(const std::string&) const override { return 2; }
};

}  // namespace

const ObservableKind observable_efficiency = {
    .name = "efficiency",
    .summary = "of a motor against the load -force: energetic, Stokes, and of rectification",
    .make = made<Efficiency>,
    .of = ObservableKind::one_variable,
};

}  // namespace bmsim
