#include "plan/starts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "error.h"
#include "model/walls.h"
#include "nearest_name.h"

namespace bmsim {

namespace {

StartLaw thermal_law(const Model& model, const ModelValues& values, size_t variable) {
  const VariableValues& variable_values = values.variables[variable];
  if (!model.variables()[variable].friction.empty())  // by which noise of a temperature is multiplied
    return {0, 0, std::sqrt(thermal_intensity(model, values, variable, true) / variable_values.mass), 0};
  if (!(variable_values.gamma > 0)) return {};
  return {0, 0, std::sqrt(thermal_intensity(model, values, variable) / variable_values.gamma / variable_values.mass),
          0};
}

/// Checks the range of initial positions; a normal law counts up to four standard deviations.
void check_begin(const Model& model, const Point& point) {
  if (model.is_system() || point.values.only().period > 0) return;
  const StartLaw& x = point.x[0];
  const double reach = x.width / 2 + 4 * x.deviation;
  check_reached(model, point.values, x.centre - reach, x.centre + reach);
}

/// Throws Error for initial positions beyond walls; a normal law is reflected by them.
void check_within(const Model& model, const RunOptions& options, const Point& point) {
  for (const Component* component : model.walls()) {
    const Walls walls(model, point.values, *component);
    const std::string& name = model.variables()[component->variable].name;
    const StartLaw& x = point.x[component->variable];
    const double from = x.centre - x.width / 2, to = x.centre + x.width / 2;
    if (from < walls.low || to > walls.high)
      fail("run: initial {} must be {}, got {}{}", name,
           std::isinf(walls.low)    ? fmt::format("below the wall, {:.6g}", walls.high)
           : std::isinf(walls.high) ? fmt::format("above the wall, {:.6g}", walls.low)
                                    : fmt::format("between the walls, {:.6g} and {:.6g}", walls.low, walls.high),
           from == to ? fmt::format("{:.6g}", from) : fmt::format("{:.6g} to {:.6g}", from, to),
           options.starts.contains(name) ? "" : fmt::format(", the default; give initial = {{ {} = ... }}", name));
  }
}

/// Throws Error if all paths begin at one place and a force is not finite there. Models with mean fields pass.
void check_forces(const Model& model, const RunOptions& options, const Point& point) {
  const auto spreads = [](const StartLaw& law) { return law.width > 0 || law.deviation > 0; };
  if (!model.fields().empty() || std::ranges::any_of(point.x, spreads) || std::ranges::any_of(point.v, spreads)) return;
  std::vector<double> x, v, f(point.x.size());
  for (size_t i = 0; i < point.x.size(); ++i) {
    x.push_back(point.x[i].centre);
    if (model.variables()[i].inertial) v.push_back(point.v[i].centre);
  }
  v.resize(v.size() + 1);  // never empty
  add_forces(model, point.values, x.data(), v.data(), 0, f.data());
  const auto wrong = std::ranges::find_if(f, [](double force) { return !std::isfinite(force); });
  if (wrong == f.end()) return;
  std::vector<std::string> place;
  bool given = false;
  for (size_t i = 0; i < point.x.size(); ++i) {
    const ModelVariable& variable = model.variables()[i];
    place.push_back(fmt::format("{} = {:.6g}", variable.name, point.x[i].centre));
    given = given || options.starts.contains(variable.name);
    if (variable.inertial) place.push_back(fmt::format("{} = {:.6g}", velocity_name(model, i), point.v[i].centre));
  }
  const std::string& name = model.variables()[static_cast<size_t>(wrong - f.begin())].name;
  fail("run: the force on {} must be a finite number where paths begin, got {} at {}{}", name,
       std::isnan(*wrong) ? NAN : *wrong, fmt::join(place, ", "),
       given ? "" : fmt::format(", the default; give initial = {{ {} = ... }}", name));
}

/// A uniform law over the period nearest to 0 that lies between the walls of a variable, or from wall to wall if these
/// are nearer to each other. period = 0: from wall to wall, or nothing if a wall is missing.
std::optional<StartLaw> uniform_start(const Model& model, const ModelValues& values, size_t variable, double period) {
  const auto [low, high] = between_walls(model, values, variable);
  const double width = period > 0 ? std::min(period, high - low) : high - low;
  if (!std::isfinite(width)) return {};
  const double centre = width < high - low ? std::clamp(0.0, low + width / 2, high - width / 2) : (low + high) / 2;
  return StartLaw{centre, width, 0, 0};
}

StartLaw default_start(const Model& model, const RunOptions& options, const ModelValues& values, size_t variable) {
  const std::string& name = model.variables()[variable].name;
  const double period = values.variables[variable].period;
  if (options.uniform_starts.contains(name)) {
    const auto law = uniform_start(model, values, variable, model.is_free() ? 1 : period);
    if (!law)
      fail(
          "run: initial {0}: \"uniform\" is over a period, or between two walls, and {0} has neither; give from and to",
          name);
    return *law;
  }
  if (model.is_free() || !(period > 0)) return {};
  return uniform_start(model, values, variable, period).value_or(StartLaw{});
}

/// Throws Error for places so far away that whole periods cannot be taken off them with a rest that is known.
void check_periods(const Model& model, const Point& point) {
  constexpr double most = 1e12;
  for (size_t i = 0; i < point.x.size(); ++i) {
    const double period = point.values.variables[i].period,
                 farthest = std::abs(point.x[i].centre) + point.x[i].width / 2;
    if (period > 0 && farthest > most * period)
      fail(
          "initial: {} must be within {:g} periods of 0, since double precision rounds what is further away, got "
          "{:.3g}",
          model.variables()[i].name, most, farthest);
  }
}

}  // namespace

double thermal_intensity(const Model& model, const ModelValues& values, size_t variable, bool multiplied) {
  double intensity = 0;
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& component = model.components()[k];
    if (component.plugin->has(BM_SIGMA) && component.variable == variable &&
        (!multiplied || model.amplitude_of(component) != nullptr))
      intensity += component.plugin->intensity(values.values[k].data()).value_or(0);
  }
  return intensity;
}

std::vector<double> grid_of(const StartLaw& law) {
  std::vector<double> values(law.count);
  for (uint32_t i = 0; i < law.count; ++i) values[i] = law.centre + law.width * ((i + 0.5) / law.count - 0.5);
  return values;
}

std::string unused_starts_text(const RunOptions& options) {
  double nodes = 1;
  for (const auto& [name, law] : options.starts) nodes *= std::max<uint32_t>(1, law.count);
  if (nodes <= static_cast<double>(options.paths)) return "";
  return fmt::format("run: initial: the grid has {0} nodes, and paths begin only at the first {1}; give paths = {0}",
                     nodes, options.paths);
}

void check_starts(const Model& model, const RunOptions& options) {
  std::vector<std::string> known;
  for (size_t i = 0; i < model.variables().size(); ++i) {
    known.push_back(model.variables()[i].name);
    if (model.variables()[i].inertial) known.push_back(velocity_name(model, i));
  }
  const auto check = [&](const std::string& name) {
    if (std::ranges::count(known, name) > 0) return;
    if (!model.is_system() && name == "v") fail("run: initial v is for underdamped models; the model is overdamped");
    fail("run: initial: unknown variable '{}'{}", name, suggestion(name, known));
  };
  for (const auto& [name, law] : options.starts) check(name);
  for (const std::string& name : options.uniform_starts) check(name);
}

void set_starts(const Model& model, const RunOptions& options, Point& point) {
  const auto law = [&](const std::string& name, const auto& otherwise) {
    const auto given = options.starts.find(name);
    return given == options.starts.end() ? otherwise() : given->second;
  };
  for (size_t i = 0; i < point.values.variables.size(); ++i) {
    const VariableValues& variable = point.values.variables[i];
    point.x.push_back(law(model.variables()[i].name, [&] { return default_start(model, options, point.values, i); }));
    point.v.push_back(variable.inertial
                          ? law(velocity_name(model, i), [&] { return thermal_law(model, point.values, i); })
                          : StartLaw{});
  }
  check_periods(model, point);
  check_begin(model, point);
  check_within(model, options, point);
  check_forces(model, options, point);
}

}  // namespace bmsim
