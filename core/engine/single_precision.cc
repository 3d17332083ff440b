#include "engine/single_precision.h"

#include <fmt/format.h>

#include <cmath>
#include <span>

#include "model/walls.h"

namespace bmsim {

namespace {

// Largest numbers, and the inverse of the smallest, whose squares single precision holds; velocities whose fourth
// powers it holds; lengths of steps, for fourth powers of positions.
constexpr double most_squared = 1e18, most_to_the_fourth = 1e9, most_step = 1e11;
constexpr double least_push = 1e-4;  // in a step, by the df of `mobility`, over the deviation by noise

}  // namespace

std::string beyond_single(const Plan& plan, const Point& point) {
  std::string found;
  const auto look = [&](double value, double most, const auto& name) {
    if (!found.empty() || value == 0 || !std::isfinite(value)) return;
    if (std::abs(value) < 1 / most || std::abs(value) > most) found = fmt::format("{} = {:.2g}", name(), value);
  };
  const std::vector<Component>& components = plan.model.components();
  for (size_t k = 0; k < components.size(); ++k) {
    const bm_plugin& plugin = **components[k].plugin;
    for (const bm_parameter& one : std::span(plugin.parameters, plugin.parameter_count))
      look(point.values.values[k][one.slot], most_squared,
           [&] { return fmt::format("{}.{}", components[k].name, one.name); });
  }
  for (size_t i = 0; i < point.values.variables.size(); ++i) {
    const VariableValues& one = point.values.variables[i];
    const auto named = [&, i](const char* what) {
      return [&plan, i, what] { return fmt::format("{} of {}", what, plan.model.variables()[i].name); };
    };
    const double D = white_noise_on(plan.model, point.values, i), dt = point.time.dt;
    look(one.constant_force, most_squared, named("force"));
    if (plan.needs.force_step && found.empty() && D > 0 &&
        std::abs(*plan.needs.force_step) * std::sqrt(dt / (2 * D)) < least_push)
      found = fmt::format("df = {:.2g} of mobility", *plan.needs.force_step);
    if (!one.inertial) {
      look(std::sqrt(2 * D * dt), most_step, named("motion in a step"));
      continue;
    }
    look(one.mass, most_squared, named("mass"));
    look(one.gamma, most_squared, named("gamma"));
    if (!(one.gamma > 0)) continue;
    const double v = std::sqrt(D / (one.gamma * one.mass));
    look(v, most_to_the_fourth, named("thermal velocity"));
    look(v * dt, most_step, named("motion in a step"));
  }
  return found;
}

std::string check_precision(const Plan& plan, const Sweep& sweep) {
  if (plan.kernel.precision != Precision::single_precision || !makes_steps(plan.kernel.method)) return "";
  for (size_t i = 0; i < plan.points.size(); ++i)
    if (const std::string number = beyond_single(plan, plan.points[i]); !number.empty())
      return fmt::format("run: {}{} is too small or too large for single precision; give precision = \"double\"",
                         number,
                         plan.points.size() == 1 ? "" : fmt::format(" at point {} ({})", i + 1, sweep.describe(i)));
  return "";
}

}  // namespace bmsim
