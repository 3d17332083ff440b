#include "plan/step_choice.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "plan/landscape.h"
#include "plan/step_places.h"
#include "plan/timing.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

constexpr double well_above = 1.5;  // of a good step

/// At kinks of V the error is of first order. But a particle that diffuses further in a step than it drifts meets a
/// kink at a random place, and the remaining error is of second order if the step is short against D/f^2 there.
bool kinks_are_blurred(const Plan& plan, const Point& point, ForceShapes& shapes) {
  if (plan.smooth || plan.model.underdamped() || plan.model.is_system() || plan.kernel.method == Method::euler ||
      plan.kernel.method == Method::paper)
    return false;
  const Landscape landscape(plan, point, shapes);
  const Surroundings& around = landscape.around;
  const ForceShape& V = landscape.V;
  const double speed = around.amplitude * V.force + around.constant;
  return around.variance > speed * speed * point.time.dt;
}
/// At a kink of an amplitude the drift of an interpretation other than Ito's jumps, and so does the strength with which
/// noise leaves the place. That makes an error of first order unless the step is short against the time in which noise
/// crosses the kink.
bool has_kinked_amplitude(const Plan& plan, const Point& point, ForceShapes& shapes) {
  constexpr double short_step = 0.015;  // part of that time, in which densities are wrong by up to 3 %
  if (!plan.model.has_white_amplitude() || plan.model.is_system() || plan.model.underdamped()) return false;
  return Landscape(plan, point, shapes).around.kinks * point.time.dt > short_step;
}

/// Whether paths come to a jump of the amplitude of the noise that takes them over it.
bool has_jumping_amplitude(const Plan& plan, const Point& point, ForceShapes& shapes) {
  return plan.model.has_white_amplitude() && std::isfinite(system_scales(plan, point, shapes).sides_of_amplitudes);
}

/// The kinks at which noise takes a particle further in a step than forces do.
std::vector<Kink> kinks_of(const Plan& plan, const Point& point, ForceShapes& shapes) {
  std::vector<Kink> kinks;
  const auto add = [&](size_t variable, double x, double force, double D) {
    if (2 * D > force * force * point.time.dt) kinks.push_back({variable, x, std::abs(force), D, force > 0});
  };
  if (plan.model.is_system()) {
    for (const OwnJump& jump : system_scales(plan, point, shapes).own_jumps) {
      const double period = point.values.variables[jump.variable].period;
      const auto is_image = [&](const Kink& kink) {  // of one that is known
        const double apart = kink.x - jump.x;
        return kink.variable == jump.variable && period > 0 &&
               std::abs(apart - period * std::round(apart / period)) < 1e-4 * period;
      };
      if (std::ranges::none_of(kinks, is_image)) add(jump.variable, jump.x, (jump.left - jump.right) / 2, jump.D);
    }
    return kinks;
  }
  if (plan.smooth || plan.model.underdamped()) return kinks;
  const Landscape landscape(plan, point, shapes);
  for (const Jump& kink : landscape.V.jumps)
    add(0, kink.x, landscape.around.amplitude * (kink.right - kink.left) / 2, noise_at(plan, point, 0, kink.x));
  return kinks;
}

/// What the search for structure left open, and near which place.
struct Unsure {
  std::string what, where;
};
Unsure unsure_of(const Plan& plan, const Point& point, ForceShapes& shapes) {
  const Changes& changes = shapes.changes(plan.model, point.values, start_of(point), duration_of(point));
  if (!changes.unsure.empty()) return {changes.unsure, fmt::format("t = {:.4g}", changes.unsure_at)};
  if (plan.model.is_system() || !plan.model.events().empty()) {
    const SystemScales& scales = system_scales(plan, point, shapes);
    if (!scales.unsure.empty()) return {scales.unsure, scales.unsure_at};
    if (plan.model.is_system())
      if (const SeenStructure seen = seen_structure(plan, point, scales); !seen.settled)
        return {seen_formula(plan)->text(), seen.unsure_at};
  }
  if (plan.model.is_system()) return {};
  if (plan.model.has_white_amplitude())
    if (const SystemScales& scales = system_scales(plan, point, shapes); scales.unsure_of_jumps)
      return {scales.unsure, scales.unsure_at};
  const Landscape landscape(plan, point, shapes);
  if (!landscape.V.closed) return {"V", fmt::format("x = {:.4g}", landscape.V.unsure)};
  const Surroundings& around = landscape.around;
  if (!around.unsure.empty()) return {around.unsure, fmt::format("x = {:.4g}", around.unsure_at)};
  return {};
}

bool has_reflecting_walls(const Model& model) {
  return model.walls().size() > (model.absorbing() != nullptr ? 1U : 0U);
}
/// Events at zeros are of first order under noise: they come at ends of steps, or crossings that return are missed.
bool has_zeros_in_noise(const Model& model) {
  return has_gaussian(model) && std::ranges::any_of(model.events(), [](const Component* event) {
           return event->plugin->state_functions()->event()->trigger == EventShape::zero;
         });
}
/// All events of a step see the mean fields as they were at its beginning.
bool has_rates_with_fields(const Model& model) {
  return std::ranges::any_of(model.events(), [](const Component* event) {
    const EventShape& shape = *event->plugin->state_functions()->event();
    return shape.trigger == EventShape::rate && shape.reads_fields;
  });
}
/// Integrals over several variables take the straight line over a step, and miss the area that noise encloses there.
bool encloses_areas(const EnsemblePlan& plan) {
  const std::vector<ModelVariable>& variables = plan.model.variables();
  return variables.size() > 1 && has_gaussian(plan.model) &&
         std::ranges::any_of(plan.kernel.integrals, [&](const KernelOptions::Integral& integral) {
           const auto i = static_cast<size_t>(integral.over);
           return integral.encloses_areas || (integral.of != KernelOptions::Integral::driving && integral.over >= 0 &&
                                              i < variables.size() && !variables[i].inertial);
         });
}

}  // namespace

// A bridge with one strength of noise throughout a step decides whether a level is met within it.
bool has_first_order_amplitude(const EnsemblePlan& plan) {
  const std::vector<ModelVariable>& variables = plan.model.variables();
  const auto meets_levels = [&](const std::unique_ptr<Observable>& observable) {
    const size_t variable = observable->variable();
    return observable->needs().looks == Looks::at_levels &&
           !(variable < variables.size() && variables[variable].inertial);
  };
  return plan.model.has_white_amplitude() &&
         (plan.kernel.method != Method::platen || std::ranges::any_of(plan.observables, meets_levels));
}

int weak_order(const EnsemblePlan& plan) {
  const bool rounds = plan.kernel.method == Method::paper && has_events(plan.model);
  return plan.kernel.method == Method::euler || rounds || has_first_order_amplitude(plan) ||
                 has_zeros_in_noise(plan.model) || has_rates_with_fields(plan.model) || encloses_areas(plan) ||
                 (has_reflecting_walls(plan.model) && has_gaussian(plan.model) && !plan.model.underdamped()) ||
                 (!plan.smooth && !plan.model.underdamped())
             ? 1
             : 2;
}

double order_of_errors(const Plan& plan) {
  const bool half = std::ranges::any_of(plan.points, [](const Point& point) { return point.error_order < 1; });
  return half ? order_at_jumps : weak_order(plan);
}

std::vector<std::string> check_steps(Plan& plan, const Sweep& sweep, ForceShapes& shapes) {
  if (!makes_steps(plan.kernel.method) || plan.kernel.method == Method::adaptive) return {};
  struct Kind {
    StepBound longest;
    size_t worst, points = 0;
    double ratio = 0;
  };
  std::vector<Kind> kinds;
  for (size_t i = 0; i < plan.points.size(); ++i) {
    Point& point = plan.points[i];
    point.error_order = kinks_are_blurred(plan, point, shapes) ? 2 : weak_order(plan);
    if (has_kinked_amplitude(plan, point, shapes)) point.error_order = 1;
    if (has_jumping_amplitude(plan, point, shapes)) point.error_order = order_at_jumps;
    point.kinks = kinks_of(plan, point, shapes);
    const bool given = point.asked.dt || point.asked.spp;
    if (!plan.options.tolerances.empty() && !given) continue;  // its error is measured
    if (given && plan.model.is_system() && system_scales(plan, point, shapes).of_another) continue;
    const StepAdvice advice = advise(plan, point, shapes);
    point.given_long = given && point.time.dt > well_above * advice.good.dt;
    if (point.given_long) point.error_order = std::min<double>(point.error_order, plan.smooth ? 2 : weak_order(plan));
    const StepBound& longest = advice.longest;
    const double ratio = point.time.dt / longest.dt;
    point.of_longest = ratio;
    point.step_too_long = ratio > 1;
    if (!point.step_too_long) continue;
    point.good_step = advice.finest.dt;
    const auto same = [&](const Kind& kind) { return std::string_view(kind.longest.what) == longest.what; };
    auto found = std::ranges::find_if(kinds, same);
    if (found == kinds.end()) found = kinds.insert(kinds.end(), {longest, i});
    ++found->points;
    if (ratio > found->ratio) found->ratio = ratio, found->worst = i, found->longest = longest;
  }
  std::vector<std::string> warnings;
  for (const Kind& kind : kinds) {
    const Point& point = plan.points[kind.worst];
    const double good = point.good_step;
    const std::string would_do = point.asked.spp
                                     ? fmt::format("spp = {}", rounded(*point.asked.spp * point.time.dt / good))
                                     : fmt::format("dt = {}", rounded(good));
    const bool several = plan.points.size() > 1;
    const std::string where = several ? fmt::format(" at {} of {} points", kind.points, plan.points.size()) : "";
    warnings.push_back(fmt::format(
        "run: the step is too long for the motion{}: dt = {:.3g}{}, where {} is {:.2g}; {} would do", where,
        point.time.dt, place_in_sweep(plan, sweep, kind.worst), kind.longest.what, kind.longest.time, would_do));
  }
  return warnings;
}

std::string doubts_of_structure(const Plan& plan, ForceShapes& shapes) {
  if (!makes_steps(plan.kernel.method) || !plan.model.is_system()) return "";
  for (const Point& point : plan.points) {
    if (point.asked.dt || point.asked.spp) continue;
    const std::string& what = system_scales(plan, point, shapes).doubtful;
    if (!what.empty())
      return fmt::format("bounds do not rule out narrow structure of {}, in more than three coordinates", what);
  }
  return "";
}

std::string check_structure(const Plan& plan, const Sweep& sweep, ForceShapes& shapes) {
  if (!makes_steps(plan.kernel.method)) return "";
  for (size_t i = 0; i < plan.points.size(); ++i) {
    const Point& point = plan.points[i];
    if (point.asked.dt || point.asked.spp) continue;
    const auto [what, where] = unsure_of(plan, point, shapes);
    if (what.empty()) continue;
    return fmt::format(
        "run: dt must resolve {}, whose formula is too complicated to be sure that no structure was missed near "
        "{}{}: dt is {:.2g}; give a dt that is short against what {} has there",
        what, where, place_in_sweep(plan, sweep, i), point.time.dt, what == "V" ? "V" : "it");
  }
  return "";
}

}  // namespace bmsim
