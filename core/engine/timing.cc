#include "engine/timing.h"

#include <algorithm>
#include <cmath>

#include "engine/exact.h"
#include "engine/integrals.h"
#include "engine/patience.h"
#include "engine/single_precision.h"
#include "engine/step_choice.h"
#include "model/events.h"

namespace bmsim {

namespace {

constexpr double most_periods = 1e9;                    // beyond it events would have no random numbers of their own
constexpr double coarsest_spp = 4, coarsest_steps = 8;  // with a tolerance: per time scale; multiple of a good step
constexpr double steps_of_free_motion = 1000;           // if nothing bounds the step
constexpr double fewest_of_free_motion = 100;           // if walls do
constexpr double fewest_steps = 20;                     // of a window, with a step that nobody asked for
constexpr double many_of_a_path = 1e9;                  // the same, of a run: rarely meant
constexpr double fewest_ticks = 400;                    // of a walk: more than marks of a density

/// A fraction of the time scale of noises and drives, or less if the motion requires it.
double step_of_scales(Plan& plan, const Point& point, double duration, ForceShapes& shapes) {
  const double scale = point.values.time_scale;
  if (plan.kernel.method == Method::exact && std::isfinite(scale)) return scale / default_spp;  // for marks only
  const bool coarse = !plan.options.tolerances.empty();
  const StepBound good = advise(plan, point, shapes).good;
  const double dt = scale / (coarse ? coarsest_spp : default_spp), motion = good.dt * (coarse ? coarsest_steps : 1);
  if (std::isinf(std::min(dt, motion))) return duration / steps_of_free_motion;
  const bool by_scales = plan.kernel.method == Method::paper && std::isfinite(dt);
  if (motion < dt && !by_scales) {
    plan.why_step = fmt::format("the motion: {} = {:.3g}", good.what, good.time);
    return plan.model.is_free() ? std::min(motion, duration / fewest_of_free_motion) : motion;
  }
  return dt;
}

/// dt if neither dt nor spp is given: as the time scales require, and short enough for a short window. A step that
/// divides the time scale then still does.
double default_step(Plan& plan, const Point& point, double duration, ForceShapes& shapes) {
  const double dt = step_of_scales(plan, point, duration, shapes);
  if (dt * fewest_steps <= duration) return dt;
  plan.why_step = fmt::format("the window: {:.3g}", duration);
  return dt / std::ceil(dt * fewest_steps / duration);
}

double asked_duration(const Point& point) {
  return point.asked.time.value_or(point.asked.periods.value_or(default_periods) * point.values.time_scale);
}

/// dt, the number of steps and the transient of a point whose values are known.
PointTime point_time(Plan& plan, Point& point, ForceShapes& shapes) {
  const double time_scale = point.values.time_scale;
  const bool has_scale = std::isfinite(time_scale);
  const AskedTime& asked = point.asked;
  if (!has_scale) {
    constexpr std::string_view why = "no component of the model has a time scale";
    if (asked.spp) fail("run: spp counts steps per period, but {}; give dt instead", why);
    if (asked.periods) fail("run: periods counts time scales, but {}; give time instead", why);
    if (!asked.time) fail("run: give time: {}", why);
  }
  const double duration = asked_duration(point);
  point.time = {duration, 1, 0};
  PointTime time;
  const bool walks = plan.kernel.method == Method::walk;
  time.dt = walks       ? std::min(1 / tick_rate(plan.model, point.values), duration / fewest_ticks)
            : asked.dt  ? *asked.dt
            : asked.spp ? time_scale / *asked.spp
                        : default_step(plan, point, duration, shapes);
  time.steps = std::round(duration / time.dt);
  // A step that nobody asked for may as well divide the duration, so that the run ends when it is said to; or an
  // interval of events at ends of steps, also in steps of twice the length.
  if (walks || (plan.model.is_system() && !asked.dt && !asked.spp)) {
    const double whole = std::min(shortest_interval_of_steps(plan.model, point.values) / 2, duration);
    const double steps = std::ceil(whole / time.dt);
    time.dt = whole / steps;
    time.steps = whole < duration ? std::round(duration / time.dt) : steps;
  }
  time.transient = std::floor(plan.options.transient * time.steps);
  if (time.steps < 1) fail("run: it must last at least one step, but time {} is shorter than dt {}", duration, time.dt);
  if (!(time.steps <= most_steps))  // nor nan
    fail("run: at most 2^48 steps, got {} (time {}, dt {})", time.steps, duration, time.dt);
  if (has_scale && duration / time_scale > most_periods)
    fail("run: at most 10^9 of the model's time scale, got {} (time {}, time scale {})", duration / time_scale,
         duration, time_scale);
  return time;
}

/// A warning where steps that nobody asked for are very many: "" for none. Forces without bound ask for such steps, and
/// long times.
std::string many_steps(const Plan& plan, const Sweep& sweep, ForceShapes& shapes) {
  if (!makes_steps(plan.kernel.method)) return "";
  size_t worst = plan.points.size();
  double most = many_of_a_path;
  for (size_t i = 0; i < plan.points.size(); ++i) {
    const Point& point = plan.points[i];
    if (point.asked.dt || point.asked.spp || !(point.time.steps > most)) continue;
    worst = i, most = point.time.steps;
  }
  if (worst == plan.points.size()) return "";
  const std::string where =
      plan.points.size() == 1 ? "" : fmt::format(" at point {} ({})", worst + 1, sweep.describe(worst));
  const Point& point = plan.points[worst];
  const StepBound good = advise(plan, point, shapes).good;
  const std::string why = point.time.dt < good.dt / 2 ? "the time scale of a noise or drive"
                                                      : fmt::format("{}, which is {:.2g}", good.what, good.time);
  return fmt::format(
      "run: {:.2g} steps for each path{}: time = {:.3g} in steps of dt = {:.2g}, for {}; give less time, or, if paths "
      "do not come to motion as fast as that, a dt, or walls",
      most, where, point.time.steps * point.time.dt, point.time.dt, why);
}

}  // namespace

void place_in_time(Plan& plan, const Sweep& sweep) {
  ForceShapes shapes;
  std::vector<double> durations;
  for (const Point& point : plan.points) durations.push_back(asked_duration(point));
  if (makes_steps(plan.kernel.method)) find_scales(plan, durations, shapes);
  Patience patience("the choice of steps", plan.points.size());
  for (size_t i = 0; i < plan.points.size(); ++i) {
    at_point(sweep, i, [&] {
      plan.points[i].time = point_time(plan, plan.points[i], shapes);
      keep_whole_periods(plan, plan.points[i]);
    });
    patience.done(i);
  }
  if (plan.options.precision == "auto") {
    plan.options.precision = "single";
    choose_precision(plan, shapes);
  }
  check_holds(plan);
  find_speeds(plan, shapes);
  plan.warnings = check_steps(plan, sweep, shapes);
  if (std::string warning = many_steps(plan, sweep, shapes); !warning.empty())
    plan.warnings.push_back(std::move(warning));
  if (std::string warning = check_precision(plan, sweep); !warning.empty()) plan.warnings.push_back(std::move(warning));
}

}  // namespace bmsim
