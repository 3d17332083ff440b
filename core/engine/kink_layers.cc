// Where a force or the amplitude of noise jumps, positions at the ends of steps have a law of their own in a layer as
// wide as the noise of a step. Averages over a wider range do not show it, and neither does the check of the step,
// whose longer steps make such a layer, too.
#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <optional>

#include "engine/step_check.h"
#include "model/jumping_noise.h"
#include "model/structure.h"
#include "model/walls.h"
#include "plan/landscape.h"
#include "plan/step_places.h"
#include "plugin/schema.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

/// Shape of a layer, fitted to the stationary laws of the Markov chains that steps of heun and euler make with a force
/// of equal size on both sides, solved on a grid for drifts of 0.02 to 0.4 (drift: of a step, over its noise).
struct Shape {
  double edge, slope;    ///< of the peak: the density just within its edge over that beyond; its fall to the middle
  double depth, length;  ///< of the dip: its depth over the drift; its integral over depth and noise
  double missing;        ///< what both lack together, over the noise and the density at the kink; other places have it
};
Shape shape_of(Method method, bool presses, double drift) {
  constexpr double depth = 1.128, length = 0.443;  // for short steps
  if (method == Method::euler)
    return {0, 0, 1.16 + 0.2 * drift, length * (1 + 1.2 * drift), presses ? (1.01 + 0.55 * drift) * drift : 0};
  if (!presses) return {0.515, -0.7, depth, length * (1 - 0.3 * drift), 0.5 * drift * drift};
  const double at_most = std::min(drift, 0.3);
  return {0.5 - 0.45 * at_most + 0.75 * at_most * at_most, 0.27, depth, length * (1 + 0.47 * drift),
          2.0 / 3 * drift * drift};
}
constexpr double least_of_part = -0.9;  // a layer leaves at least a tenth of a density
constexpr double in_doubt = 0.01;       // part of peak and dip that may be wrong

// An error is reported above this many standard errors and this part of the value.
constexpr double least_errors = 3, least_part = 0.015;
// The shorter step that is suggested makes an error below these.
constexpr double good_errors = 1, good_part = 0.007;
constexpr double shortest = 1e-6;  // the shortest step that is tried, over the step of the run

/// What the step does to the density of x about a kink of V, relative to that density: a peak as wide as a step's
/// drift, in a dip as wide as a step's noise, which weighs about as much; on top of V a dip in a peak. For forces of
/// equal size on both sides it is right to about a fifth. There is a layer only where noise takes a particle further in
/// a step than the drift.
class KinkLayer {
 public:
  KinkLayer(const Plan& plan, const Kink& kink, double dt)
      : sign_(kink.presses ? 1 : -1), drift_(kink.force * dt), noise_(std::sqrt(2 * kink.D * dt)) {
    const Shape shape = shape_of(plan.kernel.method, kink.presses, drift_ / noise_);
    edge_ = shape.edge, slope_ = shape.slope / noise_;
    depth_ = shape.depth * drift_ / noise_, length_ = shape.length * noise_;
    missing_ = shape.missing * noise_;
  }
  /// The integral of the layer between two distances from the kink.
  double between(double from, double to) const { return up_to(to) - up_to(from); }
  double width() const { return noise_; }
  /// The density without the layer at a distance from the kink, over that at the kink, for forces of equal size.
  double falling(double x) const {
    return std::exp(std::clamp(-sign_ * 2 * drift_ / (noise_ * noise_) * std::abs(x), -30.0, 30.0));
  }
  /// What the layer lacks, over the density at the kink: a length. All other places have it instead.
  double missing() const { return missing_; }
  /// The mean of the layer over the paths of a bin, enlarged by what peak and dip may differ from the known shapes.
  double in_bin(double from, double to) const {
    const int cells = static_cast<int>(std::clamp(16 * (to - from) / noise_, 4.0, 64.0));
    const double cell = (to - from) / cells;
    double total = 0, peak = 0, dip = 0;
    for (int c = 0; c < cells; ++c) {
      const double a = from + c * cell, weight = falling(a + cell / 2);
      total += weight * cell;
      peak += weight * (peak_up_to(a + cell) - peak_up_to(a)), dip += weight * (dip_up_to(a + cell) - dip_up_to(a));
    }
    return (peak - dip + std::copysign(in_doubt * (std::abs(peak) + std::abs(dip)), peak - dip)) / total;
  }
  /// The integral between two distances if the dip weighs as much as the peak.
  double balanced(double from, double to) const {
    const double weight = sign_ * peak_up_to(drift_) / (depth_ * length_);
    return peak_up_to(to) - peak_up_to(from) - weight * (dip_up_to(to) - dip_up_to(from));
  }

 private:
  double peak_up_to(double x) const {
    const double within = std::min(std::abs(x), drift_);
    return sign_ * std::copysign((edge_ - slope_ * (drift_ - within / 2)) * within, x);
  }
  double dip_up_to(double x) const {
    // The dip has the shape of a repeated integral of erfc, like what the noise of one step carries away from a corner.
    // Its tail is that of a normal law, so that peak and dip cancel in a bin wider than the noise.
    constexpr double root_of_pi = 1.7724538509055160;
    const double z = std::abs(x) / length_ * root_of_pi / 4;
    const double tail = (1 + 2 * z * z) * std::erfc(z) - 2 * z * std::exp(-z * z) / root_of_pi;
    return sign_ * depth_ * length_ * std::copysign(1 - tail, x);
  }
  double up_to(double x) const { return peak_up_to(x) - dip_up_to(x); }
  double sign_, drift_, noise_, edge_, slope_, depth_, length_, missing_;
};

/// x minus a place, or minus its nearest periodic image.
double distance(double place, double x, double period) {
  const double d = x - place;
  return period > 0 ? d - period * std::round(d / period) : d;
}

/// A number of the run, and the error that layers make in it with a step dt.
struct Number {
  Estimate run;
  std::function<double(double dt)> error;
};

bool is_wrong(const Number& number, double dt, double errors, double part) {
  if (!(number.run.error > 0)) return false;  // no path was there, or all were
  const double error = std::abs(number.error(dt));
  return error > errors * number.run.error && error > part * std::abs(number.run.value);
}

/// The bins of a density of one variable, at a point, that a layer at a kink reaches.
std::vector<Number> bins_of(const Plan& plan, size_t i, size_t variable, bool in_periods, const Array& density,
                            const Array& errors) {
  constexpr double reach = 4;  // of the noise of a step
  std::vector<Number> numbers;
  const Coordinate& bins = density.coordinates.back();
  const Point& point = plan.points[i];
  std::vector<Kink> kinks;
  for (const Kink& kink : point.kinks)
    if (kink.variable == variable) kinks.push_back(kink);
  if (kinks.empty() || bins.values.size() < 2) return numbers;
  const double period = point.values.variables[variable].period, unit = in_periods ? period : 1;
  const double half = (bins.values[1] - bins.values[0]) * unit / 2;
  const size_t size = density.values.size() / plan.points.size(), count = bins.values.size();
  std::vector<size_t> bin_of_kink;  // `count` for none
  for (const Kink& kink : kinks) {
    const auto is_in = [&](double centre) { return std::abs(distance(kink.x, centre * unit, period)) <= half; };
    bin_of_kink.push_back(static_cast<size_t>(std::ranges::find_if(bins.values, is_in) - bins.values.begin()));
  }
  for (size_t k = 0; k < size; ++k) {
    const double x = bins.values[k % count] * unit, value = density.values[i * size + k];
    const auto is_reached = [&](const Kink& kink) {
      return std::abs(distance(kink.x, x, period)) - half < reach * KinkLayer(plan, kink, point.time.dt).width();
    };
    if (!(value > 0) || std::ranges::none_of(kinks, is_reached)) continue;
    std::vector<double> densities;  // at the kinks, in the row of the same time
    for (const size_t bin : bin_of_kink)
      densities.push_back(bin < count ? density.values[i * size + k / count * count + bin] : 0);
    numbers.push_back(
        {{value, errors.values[i * size + k]}, [&plan, kinks, densities, x, half, period, value](double dt) {
           double part = 0;
           for (size_t n = 0; n < kinks.size(); ++n) {
             const double d = distance(kinks[n].x, x, period);
             const KinkLayer layer(plan, kinks[n], dt);
             part += layer.in_bin(d - half, d + half) + layer.missing() * densities[n];
           }
           part = std::max(part, least_of_part);
           return part / (1 + part) * value;  // the value includes the layer
         }});
  }
  return numbers;
}

/// What a step after Ito does to the density of x where the amplitude of its noise jumps, relative to that density. The
/// density becomes continuous there, the geometric mean of both sides, and the change falls off on each side within the
/// noise of the other one. Fitted to the stationary law of the Markov chain, solved on a grid for ratios of 0.05 to
/// 0.9. The exponential fall is right for bins wider than the layer. Other variables, and a jump that moves, do not
/// change the layer: within the noise of a step paths come and go in a few steps.
class JumpLayer {
 public:
  /// left, right: D on both sides.
  JumpLayer(Method method, double place, double left, double right)
      : is_platen_(method == Method::platen), place_(place), left_(left), right_(right) {}
  double place() const { return place_; }
  bool is_there() const { return left_ > 0 && right_ > 0 && left_ != right_; }
  /// The mean over the paths of a bin, whose centre is at a distance from the jump.
  double in_bin(double distance, double half, double dt) const {
    const double from = distance - half, to = distance + half;
    const double before = std::max(0.0, std::min(to, 0.0) - from), after = std::max(0.0, to - std::max(from, 0.0));
    const double changes = (before > 0 ? change(left_, right_, -std::min(to, 0.0), -from, dt) / left_ : 0) +
                           (after > 0 ? change(right_, left_, std::max(from, 0.0), to, dt) / right_ : 0);
    return changes / (before / left_ + after / right_);
  }

 private:
  /// The integral over distances on the side with noise D; other: D on the other side.
  double change(double D, double other, double from, double to, double dt) const {
    const double amplitude = std::sqrt(D / other) - 1;
    if (!is_platen_) return amplitude * (euler_up_to(other, to, dt) - euler_up_to(other, from, dt));
    return amplitude * (platen_up_to(D, other, to, dt) - platen_up_to(D, other, from, dt));
  }
  static double euler_up_to(double other, double x, double dt) {
    const double length = lag * std::sqrt(2 * other * dt);
    return length * -std::expm1(-x / length);
  }
  /// The supporting values of Platen's steps lie on the other side, too, and make another law: where paths are dense
  /// the change falls to zero within the noise of a step, and on both sides it overshoots. Fitted to 2 10^5 paths at
  /// ratios of both amplitudes of 0.25, 0.474 and 0.7.
  static double platen_up_to(double D, double other, double x, double dt) {
    const double ratio = std::sqrt(std::min(D, other) / std::max(D, other));
    const double unit = std::sqrt(2 * std::max(D, other) * dt), z = x / unit;
    const auto part = [&](double first, double width) { return std::clamp((z - first) / width, 0.0, 1.0); };
    if (D > other) return euler_up_to(other, x, dt) - unit * 0.22 * std::max(0.0, ratio - 0.16) * part(0.9, 1.6);
    const double end = 0.45 + 0.68 * ratio, integral = lag * std::min(0.655, 0.36 + 0.55 * ratio);
    const double within = std::min(z, end);
    return unit * (within * (1 - within / (2 * end)) - (end / 2 - integral) * part(end, 0.8));
  }
  static constexpr double lag = 0.5826;  // -zeta(1/2)/sqrt(2 pi)
  bool is_platen_;
  double place_, left_, right_;
};

struct State {
  double t = 0;
  std::vector<double> x{}, v{};
};

/// States at which to look for jumps that other variables move: where short test paths spent most of their time.
std::vector<State> states_of(const Plan& plan, const Point& point, bool moved_by_others) {
  constexpr size_t spread = 24;
  constexpr double usual = 0.5;  // part of their range in which they are looked for
  State start;
  for (size_t i = 0; i < point.x.size(); ++i) {
    start.x.push_back(point.x[i].centre);
    if (point.values.variables[i].inertial) start.v.push_back(point.v[i].centre);
  }
  if (!moved_by_others) return {start};
  ForceShapes shapes;
  const std::vector<SystemScales::Extent>& extents = system_scales(plan, point, shapes).extents;
  Box region;
  for (const SystemScales::Extent& extent : extents) {
    const double middle = (extent.low + extent.high) / 2, reach = usual * (extent.high - extent.low) / 2;
    region.push_back({middle - reach, middle + reach});
  }
  std::vector<State> states;
  for (size_t k = 0; k < spread; ++k) {
    const std::vector<double> place = spread_over(region, k);
    const auto first_velocity = place.begin() + static_cast<ptrdiff_t>(start.x.size());
    states.push_back({0, {place.begin(), first_velocity}, {first_velocity, place.end()}});
  }
  return states;
}

/// Times at which to look for jumps that move with time: by row of a density that has times, else some of the window.
std::vector<std::vector<double>> times_of(const Point& point, const Array& density, bool moved_by_time) {
  constexpr size_t looks = 24;
  constexpr double golden = 0.6180339887498949;
  std::vector<std::vector<double>> rows;
  if (density.coordinates.size() > 1)
    for (const double t : density.coordinates.front().values) rows.push_back({t});
  if (!rows.empty()) return rows;
  std::vector<double> times;
  const double from = point.time.transient * point.time.dt, window = point.time.steps * point.time.dt - from;
  for (size_t k = 0; k < (moved_by_time ? looks : 1); ++k)
    times.push_back(from + window * std::fmod(static_cast<double>(k) * golden, 1));
  return {times};
}

/// The layers at jumps of the amplitude along a variable, the rest of the state being given.
std::vector<JumpLayer> layers_at(const Plan& plan, const Point& point, size_t variable, const State& state) {
  constexpr double beside = 1e-9;
  std::vector<JumpLayer> layers;
  const double length = point.values.variables[variable].length();
  const auto D = [&](double x) {
    std::vector<double> position = state.x;
    position[variable] = x;
    return noise_at(plan, point, variable, position, state.v, state.t);
  };
  for (const double x : amplitude_jumps_along(plan.model, point.values, variable, state.x, state.v, state.t)) {
    const double next = beside * std::max(std::abs(x), length);
    const JumpLayer layer(plan.kernel.method, x, D(x - next), D(x + next));
    if (layer.is_there()) layers.push_back(layer);
  }
  return layers;
}

/// The bins of a density of one variable, at a point, that layers at jumps of the amplitude change.
std::vector<Number> bins_at_jumps(const Plan& plan, size_t i, size_t variable, bool in_periods, const Array& density,
                                  const Array& errors) {
  std::vector<Number> numbers;
  const Point& point = plan.points[i];
  const MoversOfJumps movers = movers_of_jumps(plan.model, variable);
  const Coordinate& bins = density.coordinates.back();
  if (!movers.any || bins.values.size() < 2) return numbers;
  const double period = point.values.variables[variable].period, unit = in_periods ? period : 1;
  const double half = (bins.values[1] - bins.values[0]) * unit / 2;
  const size_t size = density.values.size() / plan.points.size(), count = bins.values.size();
  const std::vector<State> states = states_of(plan, point, movers.others);
  using Layers = std::vector<std::vector<JumpLayer>>;  // by pair of time and state, which all count equally
  std::vector<std::shared_ptr<Layers>> rows;
  for (const std::vector<double>& times : times_of(point, density, movers.time)) {
    const auto layers = rows.emplace_back(std::make_shared<Layers>());
    for (const double t : times)
      for (State state : states) {
        state.t = t;
        layers->push_back(layers_at(plan, point, variable, state));
      }
  }
  for (size_t k = 0; k < size; ++k) {
    const double value = density.values[i * size + k], x = bins.values[k % count] * unit;
    const auto layers = rows[std::min(k / count, rows.size() - 1)];
    if (!(value > 0) || std::ranges::all_of(*layers, &std::vector<JumpLayer>::empty)) continue;
    numbers.push_back({{value, errors.values[i * size + k]}, [layers, x, period, half, value](double dt) {
                         double part = 0;
                         for (const auto& layers_of_state : *layers)
                           for (const JumpLayer& layer : layers_of_state)
                             part += layer.in_bin(distance(layer.place(), x, period), half, dt);
                         part = std::max(part / static_cast<double>(layers->size()), least_of_part);
                         return part / (1 + part) * value;
                       }});
  }
  return numbers;
}

/// Boltzmann's density at the place x of the potential, with the noise D there.
double density_at(const Plan& plan, const Point& point, double x, double D) {
  constexpr double high = 30;  // energy over D that no path reaches
  constexpr int cells = 1000;
  const size_t index = plan.model.index_of(plan.model.potential());
  const std::span<const double> values = point.values.values[index];
  const std::vector<bm_numbers> arrays = spans_of(point.values.arrays(index));
  const VariableValues& variable = point.values.only();
  const auto V = [&](double place) {
    return plan.model.potential().plugin->energy(place / variable.length(), values.data(), arrays.data());
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
  for (const Component* component : plan.model.walls()) {
    const Walls walls(plan.model, point.values, *component);
    from = std::max(from, walls.low), to = std::min(to, walls.high);
  }
  double sum = 0;
  for (int k = 0; k < cells; ++k) {
    const double weight = std::exp((V(x) - V(from + (k + 0.5) * (to - from) / cells)) / D);
    if (std::isfinite(weight)) sum += weight;
  }
  return cells / (sum * (to - from));
}

/// The density of a variable of a system at a kink, from the force on it where all other variables are at their start.
/// For a variable that is not coupled to others this is Boltzmann's density; for others it is about the density.
double density_in_system(const Plan& plan, const Point& point, const Kink& kink) {
  constexpr double high = 30;  // energy over D that no path reaches
  constexpr double growth = 1.02, first = 0.1;
  constexpr int most_steps = 1000;  // the last one is 4e8 times the first one
  const VariableValues& variable = point.values.variables[kink.variable];
  const double step = first * std::min(std::sqrt(2 * kink.D * point.time.dt), kink.D / kink.force);
  const auto [lowest, highest] = between_walls(plan.model, point.values, kink.variable);
  double sum = 0;
  for (const double direction : {-1, 1}) {
    double farthest = variable.period > 0 ? variable.period / 2 : std::numeric_limits<double>::infinity();
    farthest = std::min(farthest, direction > 0 ? highest - kink.x : kink.x - lowest);
    double h = step, away = 0, energy = 0;  // over D
    for (int k = 0; k < most_steps && away < farthest && energy < high; ++k, h *= growth) {
      const double force = force_at(plan, point, kink.variable, kink.x + direction * (away + h / 2));
      const double change = -direction * force * h / kink.D;
      if (!std::isfinite(change)) break;
      sum += h * std::exp(-energy - change / 2), energy += change, away += h;
    }
  }
  return 1 / sum;
}

/// What layers of a step do to the average of a formula of one variable, given the density at every kink. If the
/// formula is smooth within a layer only the difference between peak and dip matters to it: what they weigh together is
/// spread over all places.
double error_of_average(const Plan& plan, const Point& point, const StateFormula& formula, double average,
                        const std::vector<Kink>& kinks, const std::vector<double>& densities, double dt) {
  constexpr int cells = 200;
  constexpr double reach = 3;  // of the noise of a step
  const std::vector<double> inputs = formula.inputs(point.values);
  std::vector<double> state(formula.state_size());
  double full = 0, balanced = 0;
  for (size_t n = 0; n < kinks.size(); ++n) {
    const KinkLayer layer(plan, kinks[n], dt);
    const double length = point.values.variables[kinks[n].variable].length();
    const double cell = 2 * reach * layer.width() / cells;
    for (int c = 0; c < cells; ++c) {
      const double from = -reach * layer.width() + c * cell;
      state[kinks[n].variable] = (kinks[n].x + from + cell / 2) / length;
      const double weight = densities[n] * layer.falling(from + cell / 2) * (formula.at(inputs, state) - average);
      full += weight * layer.between(from, from + cell), balanced += weight * layer.balanced(from, from + cell);
    }
  }
  return std::abs(full) < std::abs(balanced) ? full : balanced;
}

/// The average of a formula at a point; nothing if layers cannot matter to it, or if it reads several variables.
std::vector<Number> average_of(const Plan& plan, size_t i, const std::shared_ptr<const StateFormula>& formula,
                               const Estimate& run) {
  const Point& point = plan.points[i];
  const double dt = point.time.dt;
  std::vector<Kink> kinks;
  for (const Kink& kink : point.kinks)
    if (formula->reads_variables() == uint32_t{1} << kink.variable) kinks.push_back(kink);
  const auto error = [&plan, &point, formula, run, kinks](const std::vector<double>& densities) {
    return [&plan, &point, formula, run, kinks, densities](double step) {
      return error_of_average(plan, point, *formula, run.value, kinks, densities, step);
    };
  };
  // A quick test first, with higher densities than a stationary state can have.
  std::vector<double> densities;
  for (const Kink& kink : kinks) densities.push_back(2 * kink.force / kink.D + 1 / std::sqrt(kink.D * dt));
  if (!is_wrong({run, error(densities)}, dt, least_errors, least_part)) return {};
  for (size_t n = 0; n < densities.size(); ++n)
    densities[n] = plan.model.is_system() ? density_in_system(plan, point, kinks[n])
                                          : density_at(plan, point, kinks[n].x, kinks[n].D);
  return {{run, error(densities)}};
}

/// Adds the worst of some numbers, and a step with which all of them are good; nothing if none is wrong.
void judge(const Plan& plan, size_t i, const std::string& name, const std::vector<Number>& numbers,
           std::vector<StepCheck::Layer>& found, bool of_amplitude = false) {
  const double dt = plan.points[i].time.dt;
  const Number* worst = nullptr;
  double most_errors = 0;  // standard errors of the run
  for (const Number& number : numbers)
    if (is_wrong(number, dt, least_errors, least_part) && std::abs(number.error(dt)) / number.run.error > most_errors)
      worst = &number, most_errors = std::abs(number.error(dt)) / number.run.error;
  if (worst == nullptr) return;
  double part = 0.5;
  while (part > shortest && std::ranges::any_of(numbers, [&](const Number& number) {
           return is_wrong(number, part * dt, good_errors, good_part);
         }))
    part /= 2;
  found.push_back({name, i, worst->error(dt), worst->run.value, most_errors, part, of_amplitude});
}

}  // namespace

std::vector<StepCheck::Layer> errors_in_layers(const Plan& plan, const std::vector<std::vector<Estimate>>& columns,
                                               const std::vector<Array>& arrays) {
  std::vector<StepCheck::Layer> found;
  const bool jumps =
      makes_steps(plan.kernel.method) && std::ranges::any_of(plan.model.components(), [&](const Component& component) {
        const Component* amplitude = plan.model.amplitude_of(component);
        return amplitude != nullptr && component.plugin->has(BM_SIGMA) && amplitude->plugin->state_functions()->jumps();
      });
  if (!jumps && std::ranges::all_of(plan.points, [](const Point& point) { return point.kinks.empty(); })) return found;
  const PointFacts facts = facts_of_all(plan);
  for (const auto& observable : plan.observables) {
    const size_t variable = observable->variable();
    const std::optional<PositionDensity> density = observable->position_density();
    if (density && variable < plan.points[0].values.variables.size()) {
      const std::string name = observable->arrays(facts)[density->array].name;
      const auto values = std::ranges::find(arrays, name, &Array::name);
      for (size_t i = 0; i < plan.points.size(); ++i)
        judge(plan, i, name, bins_of(plan, i, variable, density->in_periods, *values, *(values + 1)), found);
      for (size_t i = 0; jumps && i < plan.points.size(); ++i)
        judge(plan, i, name, bins_at_jumps(plan, i, variable, density->in_periods, *values, *(values + 1)), found,
              true);
    }
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
