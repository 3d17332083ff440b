#include "plan/timing.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <exception>
#include <iterator>
#include <limits>
#include <optional>
#include <utility>

#include "backend/cpu/thread_pool.h"
#include "backend/warn.h"
#include "model/events.h"
#include "observe/known.h"
#include "plan/exact.h"
#include "plan/integrals.h"
#include "plan/memory.h"
#include "plan/step_choice.h"

namespace bmsim {

namespace {

constexpr double most_periods = 1e9;                    // beyond it events would have no random numbers of their own
constexpr double coarsest_spp = 4, coarsest_steps = 8;  // with a tolerance: per time scale; multiple of a good step
constexpr double steps_of_free_motion = 1000;           // if nothing bounds the step
constexpr double fewest_of_free_motion = 100;           // if walls do
constexpr double fewest_window_steps = 20;              // of a window, with a step that nobody asked for
constexpr double many_of_a_path = 1e9;                  // steps of a path: more are rarely meant
constexpr double many_in_a_period = 1000;               // steps; a stroboscope may be off by half a step
// A step may be shortened to these parts, to end at times that are asked for; the second beside events at intervals.
constexpr double cheap = 0.5, cheap_beside_events = 0.1;
constexpr double fewest_ticks = 400;  // of a walk: more than marks of a density

/// A step that is a fraction of the time scale of noises and drives, or less if the motion requires it.
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

/// The step if neither dt nor spp is given: as the time scales require, and short enough for a short window. If the
/// step of the time scales divides them, the shortened one still does.
double default_step(Plan& plan, const Point& point, double duration, ForceShapes& shapes) {
  const double dt = step_of_scales(plan, point, duration, shapes);
  if (dt * fewest_window_steps <= duration) return dt;
  plan.why_step = fmt::format("the window: {:.3g}", duration);
  return dt / std::ceil(dt * fewest_window_steps / duration);
}

/// The period in which paths are to be seen at the same phase; 0 for none.
double strobe_period(const Plan& plan, const Point& point) {
  if (std::ranges::none_of(plan.requests, [](const auto& request) { return observable_kind(request.name).at_phases; }))
    return 0;
  return drive_period(plan.model, point.values);
}

/// A warning if steps do not divide the period of a stroboscope, which then shows paths at several phases; "" for none.
std::string wandering_phase(const Plan& plan, const Sweep& sweep) {
  for (size_t i = 0; i < plan.points.size(); ++i) {
    const Point& point = plan.points[i];
    const double dt = point.time.dt, period = strobe_period(plan, point), steps = period / dt;
    if (steps > many_in_a_period || std::abs(steps - std::rint(steps)) <= 1e-6) continue;
    return fmt::format(
        "run: stroboscope shows paths at the ends of steps, but dt = {:.6g} does not divide the period {:.6g}{}: "
        "phases are wrong by up to {:.2g} of it; give spp = {:.0f}, or dt = {:.6g}",
        dt, period, place_in_sweep(plan, sweep, i), dt / period / 2, std::ceil(steps), period / std::ceil(steps));
  }
  return "";
}

std::vector<double> asked_times(const Plan& plan) {
  std::vector<double> times;
  for (const ObservableRequest& request : plan.requests)
    if (const auto given = request.numbers.find("times"); given != request.numbers.end())
      std::ranges::copy_if(given->second, std::back_inserter(times), [](double time) { return time > 0; });
  return times;
}

/// The shortest interval of events of the script that come at intervals; infinity without any.
double shortest_interval(const Model& model, const ModelValues& values) {
  const std::vector<double> nowhere(2 * most_variables + most_fields);
  double shortest = std::numeric_limits<double>::infinity();
  for (const Component* event : model.events()) {
    const EventFunctions functions(model, values, *event);
    if (functions.shape().trigger == EventShape::interval)
      shortest = std::min(shortest, functions.trigger(nowhere.data(), nowhere.data(), 0));
  }
  return shortest;
}

/// A step that divides all these times: dt, or a shorter one, not below the part `least` of dt; nothing if none does.
std::optional<double> dividing(double dt, const std::vector<double>& times, double least) {
  constexpr double whole = 1e-6;  // steps
  const auto is_whole = [&](double time, double step) {
    return std::abs(time / step - std::round(time / step)) <= whole;
  };
  double common = 0;
  for (const double time : times) {
    double a = time, b = common;
    while (b > least * dt * whole) {
      const double rest = std::abs(a - b * std::round(a / b));
      a = std::exchange(b, rest);
    }
    common = a;
  }
  if (!(common >= least * dt)) return std::nullopt;
  const auto divides = [&](double step) {
    return std::ranges::all_of(times, [&](double time) { return is_whole(time, step); });
  };
  if (divides(dt)) return dt;
  double step = common / std::ceil(common / dt * (1 - 1e-9));
  const double last = std::ranges::max(times);
  step = last / std::round(last / step);  // the remainders of large times have fewer digits
  return step >= least * dt && divides(step) ? std::optional(step) : std::nullopt;
}

/// A warning if a time asked for is not the end of a step, and events at intervals make that matter; "" for none.
std::string times_between_steps(const Plan& plan, const Sweep& sweep) {
  constexpr double most = 0.01;  // of an interval
  const std::vector<double> times = asked_times(plan);
  if (times.empty() || plan.kernel.method == Method::walk) return "";
  for (size_t i = 0; i < plan.points.size(); ++i) {
    const Point& point = plan.points[i];
    const double interval = shortest_interval(plan.model, point.values), dt = point.time.dt;
    for (const double time : times) {
      const double recorded = std::round(time / dt) * dt;
      if (!(std::abs(recorded - time) > most * interval)) continue;
      return fmt::format(
          "run: paths are recorded at ends of steps, t = {:.6g} at {:.6g}{}, and events come every {:.4g}: what is "
          "recorded may be that of another time since an event; give a dt that divides the times",
          time, recorded, place_in_sweep(plan, sweep, i), interval);
    }
  }
  return "";
}

/// For a path that makes more steps, or ticks, than have random numbers of their own.
[[noreturn]] void fail_many_steps(const Plan& plan, const Point& point, const PointTime& time) {
  const double duration = asked_duration(point);
  if (plan.kernel.method == Method::walk)
    fail(
        "run: method exact: at most 2^48 ticks of its clock, got {:.3g} in a time of {}: their mean interval is {}; "
        "give another method, or less time",
        time.steps, duration, tick_rate(plan.model, point.values).text());
  if (point.asked.dt || point.asked.spp)
    fail("run: at most 2^48 steps, got {} (time {}, dt {})", time.steps, duration, time.dt);
  fail("run: at most 2^48 steps, got {:.3g} in a time of {}: dt is {:.3g} by {}; give less time, or a dt", time.steps,
       duration, time.dt, plan.why_step.empty() ? "the model's time scale" : plan.why_step);
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
  time.dt = walks       ? tick_interval(plan.model, point)
            : asked.dt  ? *asked.dt
            : asked.spp ? time_scale / *asked.spp
                        : default_step(plan, point, duration, shapes);
  bool hits_times = false;
  if (const double period = strobe_period(plan, point);
      period > 0 && period < many_in_a_period * time.dt && !walks && !asked.dt && !asked.spp)
    time.dt = period / std::ceil(period / time.dt * (1 - 1e-9));
  else if (std::vector<double> times = asked_times(plan); !times.empty() && !walks && !asked.dt && !asked.spp) {
    // A step that nobody asked for divides the times that are asked for; in a system also the whole run.
    const double end = std::min(shortest_interval_of_steps(plan.model, point.values) / 2, duration);
    if (plan.model.is_system()) times.push_back(end);
    const bool beside_events = std::isfinite(shortest_interval(plan.model, point.values));
    if (const auto step = dividing(time.dt, times, beside_events ? cheap_beside_events : cheap))
      time.dt = *step, hits_times = true;
  }
  time.steps = std::round(duration / time.dt);
  // A step that nobody asked for may as well divide the duration, so that the run ends when it is said to. Or it
  // divides an interval of events that come at ends of steps, so that steps of twice the length do, too.
  if (walks || (plan.model.is_system() && !asked.dt && !asked.spp)) {
    const double whole = std::min(shortest_interval_of_steps(plan.model, point.values) / 2, duration);
    const double steps = hits_times ? std::round(whole / time.dt) : std::ceil(whole / time.dt);
    time.dt = whole / steps;
    time.steps = whole < duration ? std::round(duration / time.dt) : steps;
  }
  time.transient = std::floor(plan.options.transient * time.steps);
  if (time.steps < 1) fail("run: it must last at least one step, but time {} is shorter than dt {}", duration, time.dt);
  if (!(time.steps <= most_steps)) fail_many_steps(plan, point, time);  // nor nan
  if (has_scale && duration / time_scale > most_periods)
    fail("run: at most 10^9 of the model's time scale, got {} (time {}, time scale {})", duration / time_scale,
         duration, time_scale);
  return time;
}

/// A warning if steps that nobody asked for are very many, as unbounded forces and long times make them; "" for none.
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
  const std::string where = place_in_sweep(plan, sweep, worst);
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

Patience::Patience(std::string what, size_t points) : what_(std::move(what)), points_(points) {}

void Patience::done(size_t point) {
  constexpr double soon = 2, long_time = 20;  // seconds
  if (told_) return;
  const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began_).count();
  if (seconds < soon) return;
  told_ = true;
  const double total = seconds / static_cast<double>(point + 1) * static_cast<double>(points_);
  if (total > long_time) warn(fmt::format("run: {} of {} points takes about {:.2g} s", what_, points_, total));
}

void in_parts(const EnsemblePlan& plan, size_t points, Patience& patience,
              const std::function<void(size_t from, size_t to)>& task) {
  constexpr size_t part = 1024, very_many = 8 * part;
  const size_t parts = (points + part - 1) / part;
  std::vector<std::exception_ptr> ends(parts);
  std::atomic<size_t> done = 0, first_end = parts;
  ThreadPool(points < very_many ? 1 : threads_of_rank(plan.execution.threads))
      .run(parts, [&, check = interruption_check()](size_t i, unsigned thread) {
        if (i > first_end) return;
        const InterruptionScope heard(check);
        try {
          task(i * part, std::min(points, (i + 1) * part));
        } catch (...) {
          ends[i] = std::current_exception();
          for (size_t first = first_end; i < first && !first_end.compare_exchange_weak(first, i);) {
          }
        }
        done += part;
        if (thread == 0) patience.done(std::min<size_t>(points, done) - 1);
      });
  if (first_end < parts) std::rethrow_exception(ends[first_end]);
}

std::string place_in_sweep(const Plan& plan, const Sweep& sweep, size_t index) {
  return plan.points.size() == 1 ? "" : fmt::format(" at point {} ({})", index + 1, sweep.describe(index));
}

double drive_period(const Model& model, const ModelValues& values) {
  double shortest = std::numeric_limits<double>::infinity();
  const auto& components = model.components();
  for (size_t k = 0; k < components.size(); ++k)
    if ((*components[k].plugin)->kind == BM_DRIVE)
      shortest = std::min(shortest, components[k].plugin->time_scale(values.values[k].data()));
  return std::isfinite(shortest) ? shortest : 0;
}

double asked_duration(const Point& point) {
  return point.asked.time.value_or(point.asked.periods.value_or(default_periods) * point.values.time_scale);
}

double tick_interval(const Model& model, const Point& point) {
  return std::min(1 / tick_rate(model, point.values).rate, asked_duration(point) / fewest_ticks);
}

double fewest_default_steps(const Point& point) {
  return std::max(fewest_window_steps, asked_duration(point) / point.values.time_scale * default_spp);
}

double default_steps(Plan& plan, Point& point, Method method, ForceShapes& shapes) {
  const Method chosen = std::exchange(plan.kernel.method, method);
  const std::string why = plan.why_step;
  const PointTime time = point.time;
  const double duration = asked_duration(point);
  point.time = {duration, 1, 0};
  const double steps = duration / default_step(plan, point, duration, shapes);
  plan.kernel.method = chosen, plan.why_step = why, point.time = time;
  return steps;
}

void place_in_time(Plan& plan, const Sweep& sweep, ForceShapes& shapes) {
  std::vector<double> durations;
  for (const Point& point : plan.points) durations.push_back(asked_duration(point));
  if (makes_steps(plan.kernel.method)) find_scales(plan, durations, shapes);
  Patience patience("the choice of steps", plan.points.size());
  std::string why_slowest;
  double most_steps_of_path = 0;
  for (size_t i = 0; i < plan.points.size(); ++i) {
    plan.why_step.clear();
    at_point(sweep, i, [&] {
      plan.points[i].time = point_time(plan, plan.points[i], shapes);
      keep_whole_periods(plan, plan.points[i]);
    });
    if (plan.points[i].time.steps > most_steps_of_path)
      most_steps_of_path = plan.points[i].time.steps, why_slowest = plan.why_step;
    patience.done(i);
  }
  plan.why_step = why_slowest;
  if (plan.options.precision == "auto") choose_precision(plan, shapes);
  check_holds(plan);
  find_speeds(plan, shapes);
  plan.warnings = check_steps(plan, sweep, shapes);
  const auto add_warning = [&](std::string warning) {
    if (!warning.empty()) plan.warnings.push_back(std::move(warning));
  };
  if (std::string warning = check_structure(plan, sweep, shapes); !warning.empty())
    add_warning(std::move(warning));
  else if (const std::string doubts = doubts_of_structure(plan, shapes); !doubts.empty() && !plan.why_step.empty())
    plan.why_step += "; " + doubts;
  add_warning(many_steps(plan, sweep, shapes));
  add_warning(wandering_phase(plan, sweep));
  add_warning(times_between_steps(plan, sweep));
  add_warning(check_precision(plan, sweep, shapes));
}

}  // namespace bmsim
