#include <cmath>

#include "model/surroundings.h"
#include "model/walls.h"
#include "plan/method.h"
#include "plan/step_places.h"

namespace bmsim {

namespace {

constexpr double near = 1e-5, nearer = 1e-7;  // distances from a wall, in units of the room beside it
/// Exponents of the distance in the square of the noise. With a smaller exponent the wall pushes, like one that
/// reflects noise which does not vanish. With a larger one, as of geometric Brownian motion, the wall is not met.
constexpr double least_exponent = 0.9, most_exponent = 1.4;
/// Noise is also looked at where other variables are so many lengths away from their start, at which it may vanish.
constexpr double aside = 0.37;
constexpr int halvings = 24;  // of the distance beyond a wall

struct Wall {
  size_t variable;
  double place, inwards;  // 1 or -1
  double room;            // to the other wall, or a unit
  bool reflects;          // else paths end
};

class Amplitudes {
 public:
  Amplitudes(const Plan& plan, const Point& point, double beside) : plan_(plan), point_(point) {
    for (size_t i = 0; i < point.values.variables.size(); ++i) {
      const double shift = beside * point.values.variables[i].length();
      x_.push_back(point.x[i].centre + shift);
      if (point.values.variables[i].inertial) v_.push_back(point.v[i].centre + beside);
    }
    v_.resize(v_.size() + most_fields, beside);
  }
  /// Square of the noise on a wall's variable at a distance before the wall, by all noises with amplitudes.
  double square(const Wall& wall, double distance) const {
    double sum = 0;
    for_each_amplitude(plan_, point_, place_before(wall, distance), v_, 0,
                       [&](double D, const std::vector<double>& b) { sum += D * std::pow(b[wall.variable], 2); });
    return sum;
  }
  bool defined(const Wall& wall, double distance) const {
    bool finite = true;
    for_each_amplitude(plan_, point_, place_before(wall, distance), v_, 0, [&](double, const std::vector<double>& b) {
      for (size_t i = 0; i < point_.values.variables.size(); ++i) finite = finite && std::isfinite(b[i]);
    });
    return finite;
  }

 private:
  std::vector<double> place_before(const Wall& wall, double distance) const {
    std::vector<double> x = x_;
    x[wall.variable] = wall.place + wall.inwards * distance;
    return x;
  }
  const Plan& plan_;
  const Point& point_;
  std::vector<double> x_, v_;
};

/// Whether noise without an amplitude moves the variable, too; the wall reflects it as usual.
bool has_other_noise(const Plan& plan, const Point& point, size_t variable) {
  if (white_noise_on(plan.model, point.values, variable) > 0) return true;
  return std::ranges::any_of(plan.model.components(), [&](const Component& component) {
    return component.variable == variable && component.plugin->has(BM_INCREMENT);
  });
}

bool vanishes(const Amplitudes& amplitudes, const Wall& wall) {
  const double at_near = amplitudes.square(wall, near * wall.room);
  const double at_nearer = amplitudes.square(wall, nearer * wall.room);
  if (!(at_near > 0 && at_nearer > 0)) return false;
  const double exponent = std::log(at_near / at_nearer) / std::log(near / nearer);
  return exponent > least_exponent && exponent < most_exponent;
}

bool is_one_sided(const Amplitudes& amplitudes, const Wall& wall) {
  double distance = wall.room;
  for (int i = 0; i < halvings; ++i, distance /= 2)
    if (!amplitudes.defined(wall, -distance)) return true;
  return false;
}

/// Whether the force on a variable jumps at a wall, or is not defined behind it.
bool forces_differ(const Plan& plan, const Point& point, const Wall& wall) {
  const double distance = nearer * wall.room;
  const auto force = [&](double before) {
    return force_at(plan, point, wall.variable, wall.place + wall.inwards * before);
  };
  const double before = force(distance), further = force(2 * distance), behind = force(-distance);
  if (!std::isfinite(behind)) return std::isfinite(before);
  return jumps_at(behind, before, further);
}

/// Whether forces may act on the variable.
bool is_pressed(const Plan& plan, const Point& point, size_t variable) {
  if (!plan.model.is_free() || point.perturbed || point.values.variables[variable].constant_force != 0) return true;
  return std::ranges::any_of(plan.model.components(), [](const Component& component) {
    return (*component.plugin)->kind == BM_DRIVE || component.plugin->has(BM_DRIFT | BM_EVOLVE);
  });
}

void look_at(const Plan& plan, const Point& point, const Wall& wall, KernelOptions& kernel) {
  const uint32_t bit = 1U << wall.variable;
  if (plan.model.variables()[wall.variable].inertial) {
    if (wall.reflects && forces_differ(plan, point, wall)) kernel.behind |= bit;
    return;
  }
  if (is_pressed(plan, point, wall.variable)) kernel.pressed |= bit;
  if (!plan.model.has_white_amplitude()) return;
  const bool other_noise = has_other_noise(plan, point, wall.variable);
  for (const double beside : {0.0, aside}) {
    const Amplitudes amplitudes(plan, point, beside);
    if (wall.reflects && !other_noise && vanishes(amplitudes, wall)) kernel.vanishing |= bit;
    if (is_one_sided(amplitudes, wall)) kernel.one_sided |= bit;
  }
}

}  // namespace

void look_at_walls(Plan& plan) {
  plan.kernel.pressed = 0;
  for (const Point& point : plan.points)
    for (const Component* component : plan.model.walls()) {
      const Walls walls(plan.model, point.values, *component);
      const auto [low, high] = between_walls(plan.model, point.values, component->variable);
      const double width = high - low;  // infinite where there is no wall, or one
      const auto unit = [width](double place) { return std::isfinite(width) ? width : std::max(1.0, std::abs(place)); };
      const bool reflects = component != plan.model.absorbing();
      for (const Wall& wall : {Wall{component->variable, walls.low, 1, unit(walls.low), reflects},
                               Wall{component->variable, walls.high, -1, unit(walls.high), reflects}})
        if (std::isfinite(wall.place)) look_at(plan, point, wall, plan.kernel);
    }
}

}  // namespace bmsim
