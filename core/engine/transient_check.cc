#include "engine/transient_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "compose/composer.h"
#include "compose/event_text.h"
#include "engine/step_check.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

constexpr uint64_t least_paths = 32;    // fewest whose scatter gives an error
constexpr double false_alarms = 0.003;  // their probability in a run, over all points and variables
constexpr double rounding_part = 1e-6;  // of what is compared: a standard error below it is no scatter
// Steps of a window in which a block of iterations is short: where paths have clocks of their own, each is looked at
// when a block begins.
constexpr double least_steps = 1024;

/// By variable: whether an observable takes the window for a stationary state; spread: and is made of the growth of
/// variances. One of several variables, or of a formula, is of all.
std::vector<bool> checked_variables(const EnsemblePlan& plan, bool spread = false) {
  const size_t variables = plan.model.variables().size();
  std::vector<bool> checked(variables);
  for (const auto& observable : plan.observables) {
    if (!observable->of_stationary_state() || (spread && !observable->of_spread())) continue;
    const size_t variable = observable->variable();
    if (variable < variables && observable->needs().formulas.empty() && !observable->needs().windows)
      checked[variable] = true;
    else
      checked.assign(variables, true);
  }
  return checked;
}

bool has_chance(const Model& model) {
  return !model.events().empty() ||
         std::ranges::any_of(model.components(), [](const Component& one) { return (*one.plugin)->kind == BM_NOISE; });
}

std::string why_not(const Plan& plan) {
  if (!plan.options.check_transient) return "not checked: check_transient is false";
  if (plan.model.absorbing() != nullptr) return "not checked: paths end at walls";
  if (plan.kernel.method == Method::adaptive) return "not checked: steps of method adaptive depend on the place";
  // At a boundary half of a step's events are before it. The middle divides no step.
  if (!hazards(plan.model).empty()) return "not checked: events come at rates that change, or at intervals";
  if (!has_chance(plan.model)) return "not checked: without noise paths do not forget their start";
  const std::vector<bool> checked = checked_variables(plan);
  if (std::ranges::count(checked, true) == 0)
    return "not checked: no observable takes the window for a stationary state";
  if (plan.together() ? plan.replicas < fewest_parts : plan.paths < least_paths)
    return fmt::format("not checked: {} are too few", plan.together() ? fmt::format("{} replicas", plan.replicas)
                                                                      : fmt::format("{} paths", plan.paths));
  return "";
}

/// What depends on time at a point: the periods, in steps; or that something has none.
struct Rhythm {
  std::vector<double> periods{};
  bool irregular = false;
};
Rhythm rhythm_of(const EnsemblePlan& plan, const Point& point) {
  Rhythm rhythm;
  const auto& components = plan.model.components();
  for (size_t k = 0; k < components.size(); ++k) {
    const Plugin& plugin = *components[k].plugin;
    if (plugin->kind == observed_kind) continue;
    const StateFunctions* functions = plugin.state_functions();
    if (functions != nullptr && functions->event() != nullptr && functions->event()->trigger == EventShape::interval)
      rhythm.irregular = true;
    const std::vector<double> turns = plugin.frequencies(point.values.values[k].data());
    const std::vector<bool> wraps = plugin.phases_wrap();
    const std::vector<int> fields = plugin.phases_of_fields();
    for (size_t i = 0; i < wraps.size(); ++i) {
      if (fields[i] >= 0) continue;
      if (!wraps[i])
        rhythm.irregular = true;
      else if (turns[i] != 0 && !plan.kernel.random_phases)
        rhythm.periods.push_back(1 / std::abs(turns[i]) / point.time.dt);
    }
  }
  return rhythm;
}

/// Steps by which the halves are longer or shorter than whole periods.
struct Misfit {
  double first = 0, second = 0;
};
Misfit misfit_of(const Rhythm& rhythm, const PointTime& time) {
  Misfit misfit;
  const auto odd = [](double steps, double period) { return std::abs(steps - std::round(steps / period) * period); };
  for (const double period : rhythm.periods) {
    misfit.first = std::max(misfit.first, odd(time.middle - time.transient, period));
    misfit.second = std::max(misfit.second, odd(time.steps - time.middle, period));
  }
  return misfit;
}

bool scatters(const EnsemblePlan& plan, const Point& point) {
  const auto& components = plan.model.components();
  bool some = !plan.model.events().empty();
  for (size_t k = 0; k < components.size(); ++k)
    if ((*components[k].plugin)->kind == BM_NOISE)
      some = some || components[k].plugin->intensity(point.values.values[k].data()).value_or(1) != 0;
  return some;
}

/// By how much the halves differ in length, of their mean. Variances of displacements need not be in proportion to
/// time: those of bound particles do not grow at all, others faster.
double uneven(const HalfMoments& m) {
  const double both = m.first_time + m.second_time;
  return both > 0 ? 2 * std::abs(m.second_time - m.first_time) / both : 0;
}

std::string nothing_to_compare(const Plan& plan) {
  const Point& point = plan.points[0];
  if (std::isfinite(point.facts.tail)) return "velocities under noise with heavy tails have no standard error";
  if (rhythm_of(plan, point).irregular) return "forces depend on time, without a period";
  if (!scatters(plan, point)) return "without noise paths do not forget their start";
  if (point.time.middle < bmsim_abi::NEVER) return "no velocity that scatters";
  return "the window is too short";
}

/// The quantile of Student's law from that of the normal law, to second order in 1/freedom.
double student(double z, double freedom) {
  const double z3 = z * z * z, z5 = z3 * z * z;
  return z + (z3 + z) / (4 * freedom) + (5 * z5 + 16 * z3 + 3 * z) / (96 * freedom * freedom);
}

}  // namespace

Halves::Halves(const EnsemblePlan& plan)
    : points_(plan.points.size(), std::vector<HalfMoments>(plan.model.variables().size())) {}
void Halves::add(size_t point, std::span<const HalfMoments> more) {
  for (size_t i = 0; i < more.size(); ++i) points_[point][i].add(more[i]);
}
void Halves::forget(size_t point) { std::ranges::fill(points_[point], HalfMoments()); }

void choose_halves(Plan& plan) {
  plan.kernel.halves = why_not(plan).empty();
  bool any = false;
  for (Point& point : plan.points) {
    place_middle(plan, point);
    any = any || point.time.middle < bmsim_abi::NEVER;
  }
  plan.kernel.halves = any;
}

void place_middle(const EnsemblePlan& plan, Point& point) {
  PointTime& time = point.time;
  time.middle = bmsim_abi::NEVER;
  if (!plan.kernel.halves || std::isfinite(point.facts.tail) || !scatters(plan, point)) return;
  const bool own_clocks = makes_steps(plan.kernel.method) && plan.kernel.method != Method::paper &&
                          (has_events(plan.model) || !plan.model.events().empty());
  const double window = time.steps - time.transient;
  if (window < (own_clocks ? least_steps * point.substeps : 2 * point.substeps)) return;
  const Rhythm rhythm = rhythm_of(plan, point);
  if (rhythm.irregular) return;
  double half = window / 2;
  if (!rhythm.periods.empty()) {
    const double period = std::ranges::max(rhythm.periods);
    half = std::floor(std::round(window / period) / 2) * period;
    if (half == 0) return;
  }
  const double unit = point.substeps >= 1 ? point.substeps : 1;
  half = std::round(half / unit) * unit;
  if (half > 0 && half < window) time.middle = time.transient + half;
}

TransientCheck check_transient(const Plan& plan, const Halves& halves) {
  TransientCheck check;
  check.text = why_not(plan);
  if (!check.text.empty()) return check;
  const std::vector<bool> checked = checked_variables(plan), spreads = checked_variables(plan, true);
  for (size_t i = 0; i < plan.points.size(); ++i) {
    const PointTime& time = plan.points[i].time;
    if (!(time.middle < bmsim_abi::NEVER)) continue;
    const Misfit misfit = misfit_of(rhythm_of(plan, plan.points[i]), time);
    const double allowed = plan.points[i].fastest *
                           (misfit.first / (time.middle - time.transient) + misfit.second / (time.steps - time.middle));
    for (size_t k = 0; k < checked.size(); ++k) {
      const HalfMoments& m = halves.at(i)[k];
      const double n = m.paths;
      if (!checked[k] || n < fewest_parts) continue;
      // explained: a difference for which there are other reasons
      const auto compare = [&](TransientCheck::Of of, double first, double second, double squares, double explained) {
        const double change = second - first, error = std::sqrt(squares / (n * (n - 1)));
        if (!std::isfinite(change) || !std::isfinite(error)) return;
        if (error <= rounding_part * std::max(std::abs(first), std::abs(second))) return;
        const double z = std::copysign(std::max(0.0, std::abs(change) - explained), change) / error;
        check.seen.push_back({of, k, i, first, second, z, false});
      };
      compare(TransientCheck::velocity, m.first, m.second, m.change_squares, allowed);
      if (!spreads[k] || !plan.points[i].facts.of(k).knows_error(2, plan.paths)) continue;
      const double first = m.first_spread / 2, second = first + m.widening / 2;
      compare(TransientCheck::diffusion, first, second, m.widening_squares / 4, std::max(first, second) * uneven(m));
    }
  }
  if (check.seen.empty()) {
    check.text = "not checked: " + nothing_to_compare(plan);
    return check;
  }
  const double quantile = normal_quantile_of_tails(false_alarms / static_cast<double>(check.seen.size()));
  for (TransientCheck::Seen& one : check.seen)
    one.warned = std::abs(one.z) > student(quantile, halves.at(one.point)[one.variable].paths - 1);
  return check;
}

}  // namespace bmsim
