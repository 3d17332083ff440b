#include "plan/method.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compose/components.h"
#include "error.h"
#include "model/events.h"
#include "model/jumping_noise.h"
#include "plan/exact.h"
#include "plan/step_choice.h"
#include "plan/step_places.h"
#include "plan/timing.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

/// What the founding paper's algorithms do not cover; nullptr if they cover the model.
const char* unknown_to_paper(const Model& model) {
  if (model.is_system()) return "a system";
  if (model.has_amplitude()) return "noise with an amplitude";
  if (!model.events().empty()) return "events of the script";
  if (!model.walls().empty()) return "walls";
  if (model.underdamped()) return "an underdamped model";
  for (const Component& component : model.components()) {
    if (component.modulates) return "a modulated potential";
    if (component.plugin->has(BM_EVOLVE | BM_INCREMENT)) return "coloured or Levy noise";
    if ((*component.plugin)->kind == BM_POTENTIAL && component.plugin->depends_on_time())
      return "a potential that depends on time";
  }
  return nullptr;
}

/// Whether an observed formula reads a velocity, and events happen at zeros: where a path stays, aboba may find no end.
bool velocities_are_seen_at_zeros(const Model& model) {
  const Component* observed = model.observed();
  return observed != nullptr && observed->plugin->state_functions()->reads_velocities() &&
         std::ranges::any_of(model.events(), [](const Component* event) {
           return event->plugin->state_functions()->event()->trigger == EventShape::zero;
         });
}

/// What method aboba does not cover; "" if it covers the model.
std::string unknown_to_aboba(const Model& model) {
  for (const ModelVariable& variable : model.variables())
    if (!variable.inertial)
      return model.is_system() ? "is for variables with inertia; " + variable.name + " has none"
                               : "is for underdamped models; the model is overdamped";
  if (model.has_white_amplitude()) return "is for Gaussian noise without an amplitude";
  for (const Component* event : model.events()) {
    const EventShape::Trigger trigger = event->plugin->state_functions()->event()->trigger;
    if ((trigger == EventShape::rate || trigger == EventShape::zero) && event->plugin->depends_on_time())
      return fmt::format("is for events whose {} does not depend on t; that of events.{} does",
                         trigger == EventShape::rate ? "rate" : "formula", event->name);
  }
  for (const Component& component : model.components())
    if (const StateFunctions* forces = component.plugin->state_functions();
        forces != nullptr && &component != model.observed() && forces->event() == nullptr && forces->reads_velocities())
      return "is for forces that do not depend on velocities; those of " +
             (component.multiplies.empty() ? "the equations" : subject_of(model.multiplied_by(component))) + " do";
  return "";
}

/// What method platen does not cover: an amplitude that depends on what other white noise moves; "" for nothing.
std::string unknown_to_platen(const Model& model) {
  const auto moved_by = [&](const Component& noise) {  // mask of the variables that white noise acts on
    const Component* amplitude = model.amplitude_of(noise);
    const uint32_t all_variables = (1U << model.variables().size()) - 1;
    if (!noise.plugin->has(BM_SIGMA)) return 0U;
    return amplitude != nullptr ? amplitude->plugin->state_functions()->acts_on() & all_variables
                                : 1U << noise.variable;
  };
  for (const Component& noise : model.components()) {
    const Component* amplitude = model.amplitude_of(noise);
    if (amplitude == nullptr || !noise.plugin->has(BM_SIGMA)) continue;
    const StateFunctions& formulas = *amplitude->plugin->state_functions();
    for (const Component& other : model.components())
      for (size_t i = 0; &other != &noise && i < model.variables().size(); ++i) {
        const ModelVariable& variable = model.variables()[i];
        const uint32_t reads = variable.inertial ? formulas.reads_velocities_of() : formulas.reads_variables();
        if ((moved_by(other) & reads) >> i & 1)
          return fmt::format("the amplitude of {} depends on {}, which {} moves", subject_of(noise),
                             variable.inertial ? "the velocity of " + variable.name : variable.name, subject_of(other));
      }
  }
  return "";
}

/// Throws Error naming the component that prevents method adaptive.
void check_adaptive(const Model& model) {
  const char* reason = nullptr;
  if (model.is_system()) fail("run: method adaptive: it knows one coordinate; the model is a system");
  if (model.has_amplitude()) fail("run: method adaptive: it is for noise without an amplitude");
  if (!model.events().empty()) fail("run: method adaptive: it knows no events of the script");
  if (!model.walls().empty()) fail("run: method adaptive: it knows no walls");
  if (model.underdamped()) fail("run: method adaptive: the model is underdamped; it is for overdamped models");
  for (const Component& component : model.components()) {
    if (component.plugin->has(BM_INCREMENT)) reason = "has increments of its own, of any size";
    if ((*component.plugin)->kind == BM_POTENTIAL && component.plugin->depends_on_time()) reason = "depends on time";
    if (reason != nullptr)
      fail("run: method adaptive: {} '{}' {}", component.plugin->full_name(), component.name, reason);
  }
}

void check_method(const Model& model, Method method) {
  if (method == Method::adaptive) check_adaptive(model);
  if (method == Method::aboba)
    if (const std::string why = unknown_to_aboba(model); !why.empty()) fail("run: method aboba {}", why);
  if (method == Method::exact)
    if (const std::string why = why_not_exact(model); !why.empty())
      fail(
          "run: method exact: {}; it is for overdamped models, piecewise-linear potentials, noises with events and "
          "white Gaussian noise, no drives",
          has_gaussian(model) ? why_not_walk(model) : why);
  if (method == Method::platen)
    if (const std::string why = unknown_to_platen(model); !why.empty())
      fail("run: method platen: {}; heun has weak order 1 there", why);
  if (method != Method::paper) return;
  if (const char* what = unknown_to_paper(model)) fail("run: method paper does not know {}", what);
}

/// An option that is given and that only methods with steps can use; nullptr if there is none.
const char* asks_for_steps(const Sweep& sweep, const RunOptions& options) {
  for (const auto& name : sweep.names())
    if (name == "dt" || name == "spp") return "dt or spp is swept";
  if (options.dt) return "dt is given";
  if (options.spp) return "spp is given";
  if (is_coupled(options)) return "an error of the step is asked for";
  if (options.local_error) return "local_error is given";
  return options.increments != "auto" ? "increments are given" : nullptr;
}

void check_coupled(const Model& model, const RunOptions& options, Method method) {
  const char* what = options.step_error ? "step_error" : "tolerance";
  if (!makes_steps(method)) fail("run: {}: method exact makes no steps, and has no error of the step", what);
  const bool chooses = !options.tolerances.empty();
  if (chooses && method == Method::adaptive)
    fail("run: tolerance: method adaptive has steps of many lengths, which cannot have the same noise as others");
  if (chooses && method == Method::paper)
    fail("run: tolerance: method paper rounds events to its steps: steps of two lengths cannot have the same noise");
  if (chooses && !model.events().empty())
    fail("run: tolerance: the model has events of the script: steps of two lengths cannot have the same noise");
  if (chooses && options.increments != "auto" && options.increments != "gaussian")
    fail("run: tolerance adds increments up, of which only gaussian ones keep their law; got increments = {}",
         options.increments);
  if (chooses && !model.fields().empty())
    fail("run: tolerance: the model has mean fields: a system of fewer paths, as shares have them, would be another");
  if (options.paths < 32 && model.fields().empty())
    fail("run: {} needs at least 32 paths, for the scatter of 16 shares, got {}", what, options.paths);
  if (options.step_error && !options.tolerances.empty()) fail("run: give step_error or tolerance, not both");
  if (!options.targets.empty()) fail("run: give {} or target, not both", what);
}

Method with_steps(const Model& model) {
  if (model.has_white_amplitude()) return unknown_to_platen(model).empty() ? Method::platen : Method::heun;
  return unknown_to_aboba(model).empty() && !velocities_are_seen_at_zeros(model) ? Method::aboba : Method::heun;
}

/// What asks for paths at given times, which a walk does not know; "" if nothing does.
std::string asks_for_times(const Plan& plan) {
  for (const auto& observable : plan.observables)
    if (!observable->needs().ticks) {
      const std::string asks = observable->asks_for_times();
      return fmt::format("observe.{}{}{}", observable->name(), asks.empty() ? "" : ": ", asks);
    }
  return plan.options.find_transient ? "transient = \"auto\"" : "";
}

constexpr std::string_view only_ticks =
    "with white noise it knows paths at ticks of a random clock, not at given times";

/// For method exact and a model with white noise: chooses a walk, if it applies.
void choose_walk(Plan& plan) {
  if (!why_not_walk(plan.model).empty()) return;
  const RunOptions& options = plan.options;
  if (options.increments != "auto")
    fail("run: method exact makes no steps, and has no increments; got increments = {}", options.increments);
  if (const std::string what = asks_for_times(plan); !what.empty())
    fail("run: method exact: {}; give another method, or leave out what asks for them: {}", only_ticks, what);
  plan.kernel.method = Method::walk;
}

void choose_method(Plan& plan, const Sweep& sweep) {
  const RunOptions& options = plan.options;
  if (options.method != "auto") {
    plan.kernel.method = method_of(options.method);
    if (plan.kernel.method == Method::exact && has_gaussian(plan.model)) choose_walk(plan);
    return check_method(plan.model, plan.kernel.method);
  }
  const bool can_walk = has_gaussian(plan.model) && why_not_walk(plan.model).empty();
  const std::string times = can_walk ? asks_for_times(plan) : "";
  const char* asked = asks_for_steps(sweep, options);
  if (can_walk && times.empty() && asked == nullptr) {
    plan.kernel.method = Method::walk;
    plan.why_method = "in a piecewise-linear potential white noise and events need no steps";
    return;
  }
  std::string why = can_walk ? "" : why_not_exact(plan.model);
  if (!times.empty()) why = fmt::format("{}, as asked for by {}", only_ticks, times);
  if (why.empty() && asked != nullptr) why = asked;
  plan.kernel.method = why.empty() ? Method::exact : with_steps(plan.model);
  if (!why.empty() && plan.model.has_white_amplitude())
    why += plan.kernel.method == Method::platen
               ? "; platen in the interpretation asked for, of weak order 2"
               : "; heun in the interpretation asked for, of weak order 1: " + unknown_to_platen(plan.model);
  plan.why_method = why.empty() ? "a piecewise-linear potential and events need no steps" : "not exact: " + why;
}

bool has_walls_without_inertia(const Model& model) {
  return std::ranges::any_of(model.walls(),
                             [&](const Component* walls) { return !model.variables()[walls->variable].inertial; });
}

/// Whether what white noise moves without inertia comes to places again and again: walls, kinks, where events set it.
bool returns_to_places(const Plan& plan) {
  const auto has_inertia = [](const auto& variable) { return variable.inertial; };
  return !plan.model.events().empty() || has_walls_without_inertia(plan.model) ||
         (!plan.smooth && !std::ranges::all_of(plan.model.variables(), has_inertia));
}

/// Whether an observable shows the law of increments, so that they must be normal.
bool looks_at_law(const Plan& plan) {
  const auto at_one_place = [](const Point& point) {
    return std::ranges::all_of(point.x, [](const StartLaw& x) { return x.width == 0 && x.deviation == 0; });
  };
  const auto sees_narrow_parts = [](const auto& observable) { return observable->needs().narrow_parts; };
  return plan.needs.law || (plan.needs.early_law && std::ranges::any_of(plan.points, at_one_place)) ||
         (std::ranges::any_of(plan.observables, sees_narrow_parts) && returns_to_places(plan));
}

/// Whether a path may end, or stop being followed, before it forgets that all begin at one place. Sums of the few
/// values of a point law are on a lattice then, and the place at which it ends may lie between lattice points.
bool begins_near_end(const Plan& plan) {
  ForceShapes shapes;
  for (const auto& observable : plan.observables) {
    const size_t i = observable->variable();
    const bool exits = plan.model.absorbing() != nullptr && plan.model.absorbing()->variable == i;
    if (i >= plan.model.variables().size() || plan.model.variables()[i].inertial) continue;
    if (exits || !observable->needs().levels.empty())
      for (const Point& point : plan.points)
        if (meets_end_early(plan, point, i, shapes)) return true;
  }
  return false;
}

/// Width of the narrowest bins of the times at which paths end or stop being followed; INFINITY if there are none.
double narrowest_bin(const Observable& observable, const PointFacts& facts) {
  double narrowest = std::numeric_limits<double>::infinity();
  if (observable.needs().looks != Looks::at_levels) return narrowest;
  for (const Array& array : observable.arrays(facts))
    for (const Coordinate& time : array.coordinates)
      if (time.values.size() > 1)
        narrowest = std::min(narrowest, (time.values[1] - time.values[0]) * (time.unit.empty() ? facts.total : 1));
  return narrowest;
}

/// Whether bins of so few steps show a law of increments, and paths that all begin at one place may end in the first
/// bins. noise_to_end: the probability to come so far in fewer steps is below 10^-5.
constexpr double steps_to_normal = 10, noise_to_end = 200, noise_to_end_with_inertia = 30;
bool sees_few_steps(const Plan& plan, const Point& point, const Observable& observable) {
  const size_t i = observable.variable();
  if (i >= plan.model.variables().size()) return false;
  const double dt = point.time.dt, most = plan.model.variables()[i].inertial ? noise_to_end_with_inertia : noise_to_end;
  return narrowest_bin(observable, point.facts) < steps_to_normal * dt && time_to_end(plan, point, i) < most * dt;
}

/// Whether white noise takes paths through levels, walls or zeros. By how much walks pass them is known less well for
/// point laws: near a level on a slope, where probability changes over a few steps, mean times have an error of 10 %,
/// and below 1 % with near-Gaussian increments.
bool passes_levels(const Plan& plan) {
  const bool looks = std::ranges::any_of(plan.observables,
                                         [](const auto& observable) { return observable->needs().looks != Looks::no; });
  if (looks && seen_noise(plan.model, plan.kernel.seen).sources > 0) return true;
  return has_events_at_ends(plan.model) || has_walls_without_inertia(plan.model);
}

/// Whether averages may be of a formula that jumps near a place to which events set paths, where they lie on lattices.
bool sees_places_set(const Plan& plan) {
  const Component* observed = plan.model.observed();
  return !plan.model.events().empty() && observed != nullptr && observed->plugin->state_functions()->jumps();
}

std::string observable_with_steps(const Plan& plan) {
  for (const auto& observable : plan.observables)
    if (observable->needs().steps) return fmt::format("observe.{} needs steps", observable->name());
  return "";
}

/// Throws Error if paths of a model with mean fields would not all make the same steps.
void check_fields(const Model& model) {
  if (model.fields().empty()) return;
  if (const Component* walls = model.absorbing())
    fail("system: fields: paths must not end, as they do at the walls of {}", model.variables()[walls->variable].name);
  for (const Component& component : model.components())
    if (component.plugin->has(BM_EVENTS))
      fail(
          "system: fields: all paths make the same steps, and {} has events at times of its own; noise without events "
          "may act, and events = {{ ... }} with rate, every or when, which set variables",
          subject_of(component));
}

/// Replaces heun or platen by euler where an amplitude jumps: only schemes whose limit is Ito's have that limit. Where
/// other noise takes paths through a jump, schemes that average the amplitude over a step lose noise in all steps that
/// pass it, one in sqrt(dt).
void settle_jumps(Plan& plan) {
  const bool heun = plan.kernel.method == Method::heun, given = plan.options.method != "auto";
  if ((!heun && plan.kernel.method != Method::platen) || !plan.model.has_white_amplitude()) return;
  for (const Point& point : plan.points) {
    auto jump = heun ? find_amplitude_jump(plan.model, point.values) : std::nullopt;
    if (!jump && !given) jump = find_jump_by_others(plan.model, point.values);
    if (!jump) continue;
    const std::string what = fmt::format("the amplitude of {} jumps at {}", subject_of(*jump->noise), jump->where);
    if (plan.options.method == "heun") fail("run: method heun: {}; euler has Ito's limit there", what);
    plan.kernel.method = Method::euler;
    plan.why_method += "; euler, since " + what;
    return;
  }
}

/// Takes steps in place of a walk that is too expensive beside them. A walk has no error of the step, and is preferred.
void take_cheaper(Plan& plan, ForceShapes& shapes) {
  constexpr double most_expensive = 3;  // work of a walk over that of steps
  constexpr double cheap = 1e4;         // steps of a path: work that nobody waits for
  const Method method = with_steps(plan.model);
  double moves = 0, steps = 0, at_least = 0;
  for (const Point& point : plan.points) {
    const double duration = asked_duration(point), interval = tick_interval(plan.model, point);
    if (!std::isfinite(duration)) return;
    moves += moves_of_path(plan.model, point, {interval, duration / interval, 0}, plan.kernel);
    at_least += fewest_default_steps(point);
  }
  const double work = moves * steps_for_move;
  if (work <= most_expensive * std::max(at_least, cheap * static_cast<double>(plan.points.size()))) return;
  for (Point& point : plan.points) steps += default_steps(plan, point, method, shapes);
  if (work <= most_expensive * steps) return;
  plan.kernel.method = method;
  plan.why_method =
      fmt::format("not exact: it would make {:.2g} moves on {}, as much work as {:.2g} steps, and {} makes {:.2g}",
                  moves, plan.points.size() > 1 ? "a path of every point" : "a path", work, method_name(method), steps);
}

}  // namespace

void choose_kernel(Plan& plan, const Sweep& sweep) {
  check_fields(plan.model);
  choose_method(plan, sweep);
  if (plan.options.local_error && plan.kernel.method != Method::adaptive)
    fail("run: local_error is for method adaptive; the method is {}", method_name(plan.kernel.method));
  const RunOptions& options = plan.options;
  if (is_coupled(options)) check_coupled(plan.model, options, plan.kernel.method);
  KernelOptions& kernel = plan.kernel;
  kernel.random_phases = options.random_phases;
  if (options.precision != "auto") kernel.precision = precision_of(options.precision);
}

void choose_increments(Plan& plan) {
  const std::string& given = plan.options.increments;
  const Increments asked = given == "auto" ? Increments::none : increments_of(given);
  if (!has_gaussian(plan.model) || plan.kernel.method == Method::walk) return;
  KernelOptions& kernel = plan.kernel;
  if (kernel.vanishing != 0 && asked != Increments::none && asked != Increments::gaussian)
    fail("run: increments must be gaussian where noise vanishes at a wall, got {}", given);
  if (asked != Increments::none)
    kernel.increments = asked;
  else if (kernel.method == Method::paper)
    kernel.increments = Increments::three_point;
  else if (is_coupled(plan.options) || kernel.method == Method::adaptive || looks_at_law(plan) ||
           begins_near_end(plan) || kernel.vanishing != 0)
    kernel.increments = Increments::gaussian;
  else
    kernel.increments = plan.smooth && !passes_levels(plan) && !sees_places_set(plan) ? Increments::five_point
                                                                                      : Increments::near_gaussian;
}

void settle_increments(Plan& plan, ForceShapes& shapes) {
  KernelOptions& kernel = plan.kernel;
  const bool known = kernel.increments == Increments::none || kernel.increments == Increments::gaussian;
  if (known || plan.options.increments != "auto" || kernel.method == Method::paper) return;
  const auto passes_over = [&](const Point& point) { return passes_over_rates(plan, point, shapes); };
  if (kernel.increments == Increments::five_point && std::ranges::any_of(plan.points, passes_over))
    kernel.increments = Increments::near_gaussian;
  for (const auto& observable : plan.observables)
    for (const Point& point : plan.points)
      if (sees_few_steps(plan, point, *observable)) kernel.increments = Increments::gaussian;
}

void settle_method(Plan& plan, ForceShapes& shapes) {
  settle_jumps(plan);
  if (makes_steps(plan.kernel.method)) return;
  for (const Point& point : plan.points) {
    const std::string why = plan.needs.steps ? observable_with_steps(plan) : why_not_exact(plan.model, point.values);
    if (why.empty()) continue;
    if (plan.options.method == "exact") fail("run: method exact: {}", why);
    plan.kernel.method = with_steps(plan.model);
    plan.why_method = "not exact: " + why;
    return;
  }
  if (plan.kernel.method == Method::walk && plan.options.method == "auto") take_cheaper(plan, shapes);
}

}  // namespace bmsim
