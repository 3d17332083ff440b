#include "engine/landscape.h"

#include <cmath>

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

}  // namespace bmsim
