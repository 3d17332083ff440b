// What single precision loses in a run, and whether that counts.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "compose/walk_tables.h"
#include "error.h"
#include "model/walls.h"
#include "plan/step_choice.h"
#include "plan/timing.h"
#include "scales/changes.h"

namespace bmsim {

namespace {

// Largest numbers, and inverses of the smallest, whose squares single precision holds; largest velocities whose fourth
// powers it holds; largest lengths of steps, for fourth powers of positions.
constexpr double most_squared = 1e18, most_to_the_fourth = 1e9, most_step = 1e11;
constexpr double least_push = 1e-4;             // in a step, by the df of `mobility`, over the deviation by noise
constexpr double shortest_in_single = 0.5;      // (p + m) width of a walk, below which small probabilities lose digits
constexpr double longest_hold_in_single = 1e6;  // in steps, at sticky walls, which are counted down by one
constexpr double farthest_start_in_single = 1e4;  // in periods, whose fraction is known to 10^-3 then

constexpr double half_digit = 0x1p-26;  // largest error of a sum, in the next power of 2 above its size
constexpr double of_point_laws = 1e-8;  // part of a sum by which variances of point laws are wrong, over the noise
constexpr double resolved = 1e-5;       // part of a sum that is added, from which on roundings cancel in a potential
constexpr double share_of_error = 0.1;  // of the error bar, which roundings may reach
constexpr double share_of_time = 1e-3;  // of the range of a function of t, by the digits that t lacks
constexpr double longest_block = 160;   // steps, before whole periods are taken off (kernels/increment_laws.h)
constexpr double some_motion = 1e-6;    // part of a sum by which the whole run changes it

/// A number whose powers single precision does not hold: "gaussian.D = 1e-24"; "" for none.
std::string beyond_single(const Plan& plan, const Point& point) {
  std::string found;
  const auto look = [&](double value, double most, const auto& name) {
    if (!found.empty() || value == 0 || !std::isfinite(value)) return;
    if (std::abs(value) < 1 / most || std::abs(value) > most) found = fmt::format("{} = {:.2g}", name(), value);
  };
  const std::vector<Component>& components = plan.model.components();
  for (size_t k = 0; k < components.size(); ++k) {
    const bm_plugin& plugin = **components[k].plugin;
    for (const bm_parameter& parameter : std::span(plugin.parameters, plugin.parameter_count))
      look(point.values.values[k][parameter.slot], most_squared,
           [&] { return fmt::format("{}.{}", components[k].name, parameter.name); });
  }
  for (size_t i = 0; i < point.values.variables.size(); ++i) {
    const VariableValues& variable = point.values.variables[i];
    const auto named = [&, i](const char* what) {
      return [&plan, i, what] { return fmt::format("{} of {}", what, plan.model.variables()[i].name); };
    };
    const double D = white_noise_on(plan.model, point.values, i), dt = point.time.dt;
    look(variable.constant_force, most_squared, named("force"));
    if (plan.needs.force_step && found.empty() && D > 0 &&
        std::abs(*plan.needs.force_step) * std::sqrt(dt / (2 * D)) < least_push)
      found = fmt::format("df = {:.2g} of mobility", *plan.needs.force_step);
    if (!variable.inertial) {
      look(std::sqrt(2 * D * dt), most_step, named("motion in a step"));
      continue;
    }
    look(variable.mass, most_squared, named("mass"));
    look(variable.gamma, most_squared, named("gamma"));
    if (!(variable.gamma > 0)) continue;
    const double v = std::sqrt(D / (variable.gamma * variable.mass));
    look(v, most_to_the_fourth, named("thermal velocity"));
    look(v * dt, most_step, named("motion in a step"));
  }
  return found;
}

/// About the most steps for which a sticky wall holds a path after one step: after a push of six standard deviations.
double longest_hold(const Plan& plan) {
  double longest = 0;
  for (const Point& point : plan.points)
    for (const Component* wall : plan.model.walls()) {
      const double D = white_noise_on(plan.model, point.values, wall->variable);
      const double length = Walls(plan.model, point.values, *wall).length;
      if (length > 0) longest = std::max(longest, 12 * length / std::sqrt(2 * D * point.time.dt));
    }
  return longest;
}

/// What every step of a run adds to a position or a velocity, in one unit.
struct Sum {
  double size;          ///< of the largest numbers that it is added to
  double drift, noise;  ///< largest drift, and deviation by white noise
  double steps, paths;  ///< of the run
  bool few_values;      ///< the noise has few values, which are rounded alike in all steps
  /// Standard errors by which the loss of the drift may shift a result, at most.
  double loss() const { return std::min(half_digit * size, drift) / noise * std::sqrt(steps * paths); }
  bool loses_drift() const {
    if (!(drift > 0) || drift >= resolved * size) return false;
    return noise > 0 ? loss() > share_of_error : drift * steps > some_motion * size;
  }
  bool loses_noise() const {
    const double least = few_values ? of_point_laws / (share_of_error * std::sqrt(2 / paths)) : 0;
    return noise > 0 && noise < std::max(resolved, least) * size;
  }
};

/// What a step adds to variable i, or to its velocity, and is lost; "" if nothing is.
std::string lost_in_sums(const Plan& plan, const Point& point, size_t i, const Reach& reach) {
  const VariableValues& variable = point.values.variables[i];
  const std::string& name = plan.model.variables()[i].name;
  const double dt = point.time.dt, length = variable.length(), steps = point.time.steps;
  const auto paths = static_cast<double>(plan.paths * plan.replicas);
  const auto say = [&](const std::string& subject, const char* what, double added, double size) {
    return fmt::format("the {} of {} in a step, {:.2g}, is near the resolution of single precision beside {:.2g}", what,
                       subject, added, size);
  };
  const Increments law = plan.kernel.increments;
  const bool few_values = law != Increments::gaussian && law != Increments::none;
  const double noise = variable.inertial ? 0 : std::sqrt(2 * reach.D * dt) / length;
  Sum x{reach.farthest, reach.speed * dt / length, noise, steps, paths, few_values};
  if (variable.period > 0) x.size += longest_block * x.drift;  // before it is folded
  if (x.loses_noise()) return say(name, "noise", x.noise * length, x.size * length);
  if (x.loses_drift()) return say(name, "motion", x.drift * length, x.size * length);
  if (!variable.inertial) return "";
  const Sum v{reach.fastest, reach.acceleration * dt, std::sqrt(2 * reach.D * dt) / variable.mass, steps, paths, false};
  const std::string velocity = velocity_name(plan.model, i);
  if (v.loses_noise()) return say(velocity, "noise", v.noise, v.size);
  if (v.loses_drift()) return say(velocity, "change", v.drift, v.size);
  if (plan.kernel.method != Method::aboba || !(variable.gamma > 0)) return "";
  // Friction is a factor near 1, the same in all steps.
  const double decay = std::exp(-variable.gamma * dt / variable.mass);
  const double wrong = std::abs(static_cast<double>(static_cast<float>(decay)) - decay);
  const double thermal = std::sqrt(reach.D / (variable.gamma * variable.mass));
  if (v.noise > 0 ? wrong * thermal / v.noise * std::sqrt(steps * paths) > share_of_error
                  : wrong > share_of_time * (1 - decay))
    return say(velocity, "damping", 1 - decay, 1);
  return "";
}

/// With method exact: the motion from one event to the next, if it is lost; "" otherwise.
std::string lost_between_events(const Plan& plan, const Point& point, const Reach& reach) {
  double rate = 0, jump = 0;
  const auto& components = plan.model.components();
  for (size_t k = 0; k < components.size(); ++k) {
    if (!components[k].plugin->has(BM_EVENTS)) continue;
    const double* values = point.values.values[k].data();
    const double wait = components[k].plugin->time_scale(values);
    const double D = components[k].plugin->intensity(values).value_or(0);
    rate += 1 / wait;
    if (std::isfinite(D)) jump = std::max(jump, std::sqrt(2 * D * wait));
  }
  const double moved = std::max(reach.speed / rate, jump) / point.values.variables[0].length();
  if (!(moved > 0 && moved < resolved * reach.farthest)) return "";
  return fmt::format("the motion in a waiting time, {:.2g} of a period, is near the resolution of single precision",
                     moved);
}

/// What loses too much in single precision at a point, "gaussian.D = 1e-24 is ..."; "" for nothing.
std::string lost_in_single(const Plan& plan, const Point& point, ForceShapes& shapes) {
  if (plan.kernel.method == Method::walk) {
    const double shortest = walk_tables(plan.model, point.values, point.time.dt, plan.kernel.levels).shortest;
    return shortest < shortest_in_single ? "diffusion over a piece of V is fast beside events" : "";
  }
  for (size_t i = 0; i < point.x.size(); ++i) {
    const StartLaw& x = point.x[i];
    const double start = std::abs(x.centre) + x.width / 2 + 3 * x.deviation;
    if (start > farthest_start_in_single * point.values.variables[i].length())
      return fmt::format("{} begins at {:.2g}", plan.model.variables()[i].name, start);
  }
  if (const std::string number = beyond_single(plan, point); !number.empty())
    return number + " is too small or too large for single precision";
  const std::vector<Reach> reaches = reaches_of(plan, point, shapes);
  if (plan.kernel.method == Method::exact) return lost_between_events(plan, point, reaches[0]);
  for (size_t i = 0; i < reaches.size(); ++i)
    if (std::string lost = lost_in_sums(plan, point, i, reaches[i]); !lost.empty()) return lost;
  if (const Pulses pulses = narrowest_pulses(plan.model, point.values); half_digit > share_of_time * pulses.turns)
    return fmt::format("a pulse takes {:.2g} of the period of its drive, near the resolution of single precision",
                       pulses.turns);
  if (const double steepness = steepest_change(plan, point, shapes); half_digit * steepness > share_of_time)
    return fmt::format("a formula of t changes in {:.2g} of the time, near the resolution of single precision",
                       1 / steepness);
  return "";
}

}  // namespace

void choose_precision(Plan& plan, ForceShapes& shapes) {
  const auto set_double = [&](std::string why) {
    plan.kernel.precision = Precision::double_precision;
    plan.why_precision = std::move(why);
  };
  for (const Point& point : plan.points)
    for (size_t i = 0; i < point.values.variables.size(); ++i)
      if (point.values.variables[i].unfolded_for_formulas)
        return set_double(fmt::format("{} may go far, and is not folded, for the formulas of observables or events",
                                      plan.model.variables()[i].name));
  if (const double longest = longest_hold(plan); longest > longest_hold_in_single)
    return set_double(fmt::format("sticky walls hold a particle for up to {:.2g} steps", longest));
  Patience patience("the choice of precision", plan.points.size());
  for (size_t i = 0; i < plan.points.size(); ++i) {
    if (std::string lost = lost_in_single(plan, plan.points[i], shapes); !lost.empty())
      return set_double(std::move(lost));
    patience.done(i);
  }
}

std::string check_precision(const Plan& plan, const Sweep& sweep, ForceShapes& shapes) {
  if (plan.options.precision == "auto") return "";  // it was chosen so
  if (plan.kernel.precision != Precision::single_precision || !makes_steps(plan.kernel.method)) return "";
  for (size_t i = 0; i < plan.points.size(); ++i)
    if (const std::string lost = lost_in_single(plan, plan.points[i], shapes); !lost.empty())
      return fmt::format("run: {}{}; give precision = \"double\"", lost, place_in_sweep(plan, sweep, i));
  return "";
}

void check_holds(const Plan& plan) {
  const double longest = longest_hold(plan);
  const bool single = plan.kernel.precision == Precision::single_precision;
  if (longest > (single ? 8 * longest_hold_in_single : 1e15))
    fail("run: sticky walls would hold a particle for up to {:.2g} steps, which {} precision cannot count; give {}",
         longest, single ? "single" : "double", single ? "precision = \"double\"" : "a longer step");
}

}  // namespace bmsim
