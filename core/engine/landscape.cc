#include "engine/landscape.h"

#include <algorithm>
#include <cmath>

#include "model/relaxation.h"

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
    : changes(shapes.changes(plan.model, point.values, start_of(point), duration_of(point))),
      around(shapes.surroundings(plan.model, point.values, start_of(point), duration_of(point))),
      V(shapes.at(plan.model, point.values, around, starts_of(point.x[0]), duration_of(point), changes)) {}

double relaxation_at(const Plan& plan, const Point& point) {
  const PointFacts& facts = point.facts;
  const VariableFacts& one = facts.variables.front();
  const bool is_thermal = std::ranges::all_of(plan.model.components(), [](const Component& component) {
    const uint32_t kind = (*component.plugin)->kind;
    return kind == BM_POTENTIAL || kind == observed_kind || kind == wall_kind ||
           (kind == BM_NOISE && component.plugin->has(BM_SIGMA));
  });
  if (!one.energy || facts.of_state || !is_thermal || one.gamma <= 0) return 0;
  ForceShapes shapes;
  std::vector<double> places = Landscape(plan, point, shapes).V.places;
  if (places.size() < 3) return 0;
  // A period begins at its highest place.
  if (one.period > 0) {
    const auto top = std::ranges::max_element(places, {}, one.energy);
    const auto low = static_cast<std::ptrdiff_t>(std::distance(places.begin(), top));
    std::rotate(places.begin(), places.begin() + low, places.end());
    for (auto x = places.end() - low; x != places.end(); ++x) *x += one.period;
    places.push_back(places.front() + one.period);
  }
  const auto energy = [&](double x) { return one.energy(x) - one.force * x; };
  return slowest_relaxation(energy, places, {one.thermal / one.gamma, one.mass, one.gamma});
}

}  // namespace bmsim
