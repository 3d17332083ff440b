#include "plan/landscape.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "plan/integrals.h"
#include "plugin/state_functions.h"
#include "scales/relaxation.h"

namespace bmsim {

SystemStart start_of(const Point& point) {
  SystemStart start;
  for (size_t i = 0; i < point.x.size(); ++i) {
    start.x.push_back(point.x[i].centre);
    start.x_width.push_back(point.x[i].width / 2 + point.x[i].deviation);
    start.v.push_back(point.v[i].centre);
    start.v_width.push_back(point.v[i].width / 2 + point.v[i].deviation);
  }
  return start;
}

namespace {

std::pair<double, double> starts_of(const StartLaw& x) {
  const double reach = x.width / 2 + 3 * x.deviation;
  return {x.centre - reach, x.centre + reach};
}

const ForceShapes::Environment& environment_of(const Plan& plan, const Point& point, ForceShapes& shapes) {
  if (!ForceShapes::is_plain(plan.model))
    return shapes.environment(plan.model, point.values, start_of(point), duration_of(point));
  const double centre = point.x[0].centre, reach = point.x[0].width / 2 + point.x[0].deviation;
  return shapes.plain_environment(plan.model, point.values, {centre - reach, centre + reach});
}

/// Places at which to look at the V of a thermal particle; none if there are other forces, or V changes.
std::vector<double> places_of(const Plan& plan, const Point& point) {
  const VariableFacts& variable = point.facts.variable(0);
  const bool is_thermal = std::ranges::all_of(plan.model.components(), [](const Component& component) {
    const uint32_t kind = (*component.plugin)->kind;
    return kind == BM_POTENTIAL || kind == observed_kind || kind == wall_kind ||
           (kind == BM_NOISE && component.plugin->has(BM_SIGMA));
  });
  if (!has_fixed_energy(plan.model) || point.facts.of_state || !is_thermal || variable.gamma <= 0) return {};
  ForceShapes shapes;
  return Landscape(plan, point, shapes).V.places;
}

/// The mean of a function of x in equilibrium. jumps: where it is not continuous.
double equilibrium_mean(const Plan& plan, const Point& point, const std::vector<double>& jumps,
                        const std::function<double(double)>& function) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const VariableFacts& variable = point.facts.variable(0);
  if (plan.model.has_sticky_walls() || (variable.period > 0 && variable.force != 0)) return unknown;
  std::vector<double> places = places_of(plan, point);
  if (places.size() < 3) return unknown;
  if (variable.period > 0) places.push_back(places.front() + variable.period);
  for (double jump : jumps) {
    if (variable.period > 0) jump -= variable.period * std::floor((jump - places.front()) / variable.period);
    const auto next = std::ranges::lower_bound(places, jump);
    if (next != places.begin() && next != places.end() && *next != jump) places.insert(next, jump);
  }
  const std::function<double(double)> V = potential_functions(plan.model, point.values).energy;
  const auto energy = [&](double x) { return V(x) - variable.force * x; };
  return boltzmann_mean(energy, places, variable.thermal / variable.gamma, function);
}

}  // namespace

double rounded_duration(double duration) {
  constexpr int bits = 24;
  int exponent = 0;
  const double mantissa = std::frexp(duration, &exponent);
  return std::ldexp(std::round(std::ldexp(mantissa, bits)), exponent - bits);
}

double duration_of(const Point& point) { return rounded_duration(point.time.steps * point.time.dt); }

const SystemScales& system_scales(const Plan& plan, const Point& point, ForceShapes& shapes) {
  return shapes.of_system(plan.model, point.values, start_of(point), duration_of(point));
}

Landscape::Landscape(const Plan& plan, const Point& point, ForceShapes& shapes)
    : Landscape(plan, point, shapes, environment_of(plan, point, shapes)) {}
Landscape::Landscape(const Plan& plan, const Point& point, ForceShapes& shapes,
                     const ForceShapes::Environment& environment)
    : changes(environment.changes),
      around(*environment.around),
      V(shapes.at(plan.model, point.values, around, starts_of(point.x[0]), duration_of(point), changes)) {}

double relaxation_at(const Plan& plan, const Point& point) {
  std::vector<double> places = places_of(plan, point);
  if (places.size() < 3) return 0;
  const VariableFacts& variable = point.facts.variable(0);
  const std::function<double(double)> V = potential_functions(plan.model, point.values).energy;
  // A period begins at its highest place.
  if (variable.period > 0) {
    const auto top = std::ranges::max_element(places, {}, V);
    const auto low = static_cast<std::ptrdiff_t>(std::distance(places.begin(), top));
    std::rotate(places.begin(), places.begin() + low, places.end());
    for (auto x = places.end() - low; x != places.end(); ++x) *x += variable.period;
    places.push_back(places.front() + variable.period);
  }
  const auto energy = [&](double x) { return V(x) - variable.force * x; };
  return slowest_relaxation(energy, places, {variable.thermal / variable.gamma, variable.mass, variable.gamma});
}

double equilibrium_mean(const Plan& plan, const Point& point, size_t formula) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  const Component* observed = plan.model.observed();
  if (observed == nullptr) return unknown;
  const StateFunctions& functions = *observed->plugin->state_functions();
  if (functions.reads_velocities() || observed->plugin->depends_on_time()) return unknown;
  const double* values = point.values.values[plan.model.index_of(*observed)].data();
  return equilibrium_mean(plan, point, {}, [&](double x) {
    constexpr double at_rest = 0;
    std::vector<double> results(functions.count());
    functions.add_forces(&x, &at_rest, 0, values, nullptr, results.data());
    return results[formula];
  });
}

double equilibrium_probability(const Plan& plan, const Point& point, const HalvedDensity& density, double place) {
  if (density.velocity || plan.model.variables().size() != 1) return std::numeric_limits<double>::quiet_NaN();
  const double L = point.facts.variable(0).period;
  const auto below = [&](double x) { return x < place ? 1.0 : x == place ? 0.5 : 0.0; };
  if (!density.folded) return equilibrium_mean(plan, point, {place}, below);
  return equilibrium_mean(plan, point, {place * L, L / 2}, [&](double x) {
    const double periods = x / L;
    return below(periods - std::floor(periods + 0.5));
  });
}

}  // namespace bmsim
