#include "engine/kink_layers.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <memory>
#include <optional>

#include "model/walls.h"
#include "plugin/schema.h"

namespace bmsim {

namespace {

// By the densities that heun, platen and euler gave about kinks, see KinkLayer.
constexpr double height_of_peak = 0.43, depth_on_top = 0.6;  // over the density
constexpr double depth_of_dip = 1.15;                        // over the drift of a step in units of its noise
constexpr double in_doubt = 0.04;                            // part of both
constexpr double length_of_dip = 0.4;                        // in units of the noise: the dip's integral over its depth

// What is said: an error above so many standard errors and this part of the value. What is aimed at with a shorter
// step.
constexpr double least_errors = 3, least_part = 0.015, good_errors = 1, good_part = 0.007;
constexpr double shortest = 1e-4;  // part of a step to which it is shortened at most

}  // namespace

KinkLayer::KinkLayer(const Plan& plan, const Kink& kink, double dt)
    : sign_(kink.presses ? 1 : -1),
      drift_(kink.force * dt),
      noise_(std::sqrt(2 * kink.D * dt)),
      height_(plan.kernel.method == Method::euler ? 0
              : kink.presses                      ? height_of_peak
                                                  : depth_on_top),
      depth_(depth_of_dip * drift_ / noise_),
      length_(length_of_dip * noise_) {}

double KinkLayer::peak_up_to(double x) const { return sign_ * height_ * std::clamp(x, -drift_, drift_); }
double KinkLayer::dip_up_to(double x) const {
  // Of the shape of a repeated integral of erfc, as what one step's noise carries away from a corner. Its tail is that
  // of a normal law, so that a bin wider than the noise sees peak and dip cancel.
  constexpr double root_of_pi = 1.7724538509055160;
  const double z = std::abs(x) / length_ * root_of_pi / 4;
  const double tail = (1 + 2 * z * z) * std::erfc(z) - 2 * z * std::exp(-z * z) / root_of_pi;
  return sign_ * depth_ * length_ * std::copysign(1 - tail, x);
}
double KinkLayer::in_bin(double from, double to) const {
  const double peak = peak_up_to(to) - peak_up_to(from), dip = dip_up_to(to) - dip_up_to(from);
  return (peak - dip + std::copysign(in_doubt * (std::abs(peak) + std::abs(dip)), peak - dip)) / (to - from);
}
double KinkLayer::balanced(double from, double to) const {
  const double weight = height_ * drift_ / (depth_ * length_);
  return peak_up_to(to) - peak_up_to(from) - weight * (dip_up_to(to) - dip_up_to(from));
}

namespace {

/// x less the kink, or its image that is nearest.
double distance(const Kink& kink, double x, double period) {
  const double d = x - kink.x;
  return period > 0 ? d - period * std::round(d / period) : d;
}

/// A number of the run, and the error of it that layers make with a step.
struct Number {
  Estimate run;
  std::function<double(double dt)> error;
};

bool is_wrong(const Number& one, double dt, double errors, double part) {
  const double error = std::abs(one.error(dt));
  return error > errors * one.run.error && error > part * std::abs(one.run.value);
}

/// The bins of a density of one variable at a point that a layer reaches.
std::vector<Number> bins_of(const Plan& plan, size_t i, size_t variable, bool in_periods, const Array& density,
                            const Array& its_errors) {
  constexpr double reach = 4;  // of the noise of a step
  std::vector<Number> all;
  const Coordinate& bins = density.coordinates.back();
  const Point& point = plan.points[i];
  std::vector<Kink> kinks;
  for (const Kink& kink : point.kinks)
    if (kink.variable == variable) kinks.push_back(kink);
  if (kinks.empty() || bins.values.size() < 2) return all;
  const double period = point.values.variables[variable].period, unit = in_periods ? period : 1;
  const double half = (bins.values[1] - bins.values[0]) * unit / 2;
  const size_t size = density.values.size() / plan.points.size();
  for (size_t k = 0; k < size; ++k) {
    const double x = bins.values[k % bins.values.size()] * unit, value = density.values[i * size + k];
    const auto is_reached = [&](const Kink& kink) {
      return std::abs(distance(kink, x, period)) - half < reach * KinkLayer(plan, kink, point.time.dt).width();
    };
    if (!(value > 0) || std::ranges::none_of(kinks, is_reached)) continue;
    all.push_back({{value, its_errors.values[i * size + k]}, [&plan, kinks, x, half, period, value](double dt) {
                     double part = 0;
                     for (const Kink& kink : kinks) {
                       const double d = distance(kink, x, period);
                       part += KinkLayer(plan, kink, dt).in_bin(d - half, d + half);
                     }
                     return part * value;
                   }});
  }
  return all;
}

/// Boltzmann's density at a place of the potential, with the noise D there.
double density_at(const Plan& plan, const Point& point, double x, double D) {
  constexpr double high = 30;  // over D
  constexpr int cells = 1000;
  const size_t index = plan.model.index_of(plan.model.potential());
  const std::vector<double>& values = point.values.values[index];
  const std::vector<bm_numbers> arrays = spans_of(point.values.arrays[index]);
  const VariableValues& variable = point.values.only();
  const auto V = [&](double at) {
    return plan.model.potential().plugin->energy(at / variable.length(), values.data(), arrays.data());
  };
  double from = x - variable.period / 2, to = x + variable.period / 2;
  if (variable.period <= 0) {
    const auto reach = [&](double direction) {
      double far = std::sqrt(D * point.time.dt);
      while (far < 1024 && V(x + direction * far) < V(x) + high * D) far *= 1.3;
      return x + direction * far;
    };
    from = reach(-1), to = reach(1);
  }
  for (const Component* one : plan.model.walls()) {
    const Walls walls(plan.model, point.values, *one);
    from = std::max(from, walls.low), to = std::min(to, walls.high);
  }
  double sum = 0;
  for (int k = 0; k < cells; ++k) {
    const double weight = std::exp((V(x) - V(from + (k + 0.5) * (to - from) / cells)) / D);
    if (std::isfinite(weight)) sum += weight;
  }
  return cells / (sum * (to - from));
}

/// What layers of a step do to the average of a formula of x, if the density at every kink is as given. A formula that
/// is smooth within the layer sees the difference between peak and dip alone: what they weigh together has its share in
/// all places.
double error_of_average(const Plan& plan, const Point& point, const StateFormula& formula, double average,
                        const std::vector<double>& densities, double dt) {
  constexpr int cells = 200;
  constexpr double reach = 3;  // of the noise of a step
  const std::vector<double> inputs = formula.inputs(point.values);
  std::vector<double> state(formula.state_size());
  double whole = 0, local = 0;
  for (size_t n = 0; n < point.kinks.size(); ++n) {
    const KinkLayer layer(plan, point.kinks[n], dt);
    const double cell = 2 * reach * layer.width() / cells;
    for (int c = 0; c < cells; ++c) {
      const double from = -reach * layer.width() + c * cell;
      state[0] = (point.kinks[n].x + from + cell / 2) / point.values.only().length();
      const double weight = densities[n] * (formula.at(inputs, state) - average);
      whole += weight * layer.between(from, from + cell), local += weight * layer.balanced(from, from + cell);
    }
  }
  return std::abs(whole) < std::abs(local) ? whole : local;
}

/// The average of a formula at a point; nothing if layers cannot matter to it.
std::vector<Number> average_of(const Plan& plan, size_t i, const std::shared_ptr<const StateFormula>& formula,
                               const Estimate& run) {
  const Point& point = plan.points[i];
  const double dt = point.time.dt;
  const auto error = [&plan, &point, formula, run](const std::vector<double>& densities) {
    return [&plan, &point, formula, run, densities](double of_dt) {
      return error_of_average(plan, point, *formula, run.value, densities, of_dt);
    };
  };
  // With more than there can be of a stationary state first, which is quickly known.
  std::vector<double> densities;
  for (const Kink& kink : point.kinks) densities.push_back(2 * kink.force / kink.D + 1 / std::sqrt(kink.D * dt));
  if (!is_wrong({run, error(densities)}, dt, least_errors, least_part)) return {};
  for (size_t n = 0; n < densities.size(); ++n)
    densities[n] = density_at(plan, point, point.kinks[n].x, point.kinks[n].D);
  return {{run, error(densities)}};
}

/// The worst of some numbers, and a step with which all of them are good; adds nothing if none is wrong.
void judge(const Plan& plan, size_t i, const std::string& name, const std::vector<Number>& numbers,
           std::vector<StepCheck::Layer>& found) {
  const double dt = plan.points[i].time.dt;
  const Number* worst = nullptr;
  double most = 0;
  for (const Number& one : numbers)
    if (is_wrong(one, dt, least_errors, least_part) && std::abs(one.error(dt)) / one.run.error > most)
      worst = &one, most = std::abs(one.error(dt)) / one.run.error;
  if (worst == nullptr) return;
  double part = 0.5;
  while (part > shortest && std::ranges::any_of(numbers, [&](const Number& one) {
           return is_wrong(one, part * dt, good_errors, good_part);
         }))
    part /= 2;
  found.push_back({name, i, worst->error(dt), worst->run.value, most, part});
}

}  // namespace

std::vector<StepCheck::Layer> errors_in_layers(const Plan& plan, const std::vector<std::vector<Estimate>>& columns,
                                               const std::vector<Array>& arrays) {
  std::vector<StepCheck::Layer> found;
  if (std::ranges::all_of(plan.points, [](const Point& point) { return point.kinks.empty(); })) return found;
  const PointFacts facts = facts_of_all(plan);
  for (const auto& observable : plan.observables) {
    const size_t variable = observable->variable();
    const std::optional<PositionDensity> density = observable->position_density();
    if (density && variable < plan.points[0].values.variables.size()) {
      const std::string name = observable->arrays(facts)[density->array].name;
      const auto values = std::ranges::find(arrays, name, &Array::name);
      for (size_t i = 0; i < plan.points.size(); ++i)
        judge(plan, i, name, bins_of(plan, i, variable, density->in_periods, *values, *(values + 1)), found);
    }
    if (plan.model.is_system()) continue;  // whose density at a kink is not known
    for (const AverageOf& average : observable->averages()) {
      const auto formula = std::make_shared<const StateFormula>(plan.model, average.formula, "observe.average");
      if (formula->reads_velocities_of() != 0) continue;
      const std::vector<Estimate>& runs = columns[plan.column(average.column)];
      for (size_t i = 0; i < plan.points.size(); ++i)
        judge(plan, i, average.column, average_of(plan, i, formula, runs[i]), found);
    }
  }
  return found;
}

}  // namespace bmsim
