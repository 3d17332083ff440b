#include "plan/integrals.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "compose/texts.h"
#include "compose/trajectory.h"
#include "error.h"
#include "nearest_name.h"
#include "observe/energies.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

typedef KernelOptions::Integral Integral;

/// Names that an integral may be over: time, variables, velocities. Their numbers in the kernel begin at -1.
std::vector<std::string> differentials(const Model& model) {
  std::vector<std::string> names = {"t"}, velocities;
  for (size_t i = 0; i < model.variables().size(); ++i) {
    names.push_back(model.variables()[i].name);
    if (model.variables()[i].inertial) velocities.push_back(velocity_name(model, i));
  }
  names.insert(names.end(), velocities.begin(), velocities.end());
  return names;
}

/// The variable that changes under an integral over a variable or a velocity.
size_t variable_of(const Model& model, int over) {
  const size_t n = model.variables().size();
  if (static_cast<size_t>(over) < n) return static_cast<size_t>(over);
  size_t left = static_cast<size_t>(over) - n;
  for (size_t i = 0;; ++i)
    if (model.variables()[i].inertial && left-- == 0) return i;
}

/// Whether a noise or an event makes a variable, or its velocity, jump.
bool jumps(const Model& model, const Component& noise, size_t variable) {
  if ((*noise.plugin)->kind == event_kind)
    return std::ranges::any_of(noise.plugin->state_functions()->event()->targets,
                               [&](const EventShape::Target& target) { return target.variable == variable; });
  const bool kicks = noise.plugin->has(BM_EVENTS) && !noise.plugin->has(BM_MODULATES);
  if (!kicks && !noise.plugin->has(BM_INCREMENT)) return false;
  const Component* amplitude = model.amplitude_of(noise);
  return amplitude == nullptr ? noise.variable == variable
                              : amplitude->plugin->state_functions()->acts_on() >> variable & 1;
}

/// All integrals that observables ask for. One over any variable, or velocity, becomes one for each.
std::vector<PathIntegral> asked_integrals(const EnsemblePlan& plan) {
  std::vector<PathIntegral> integrals;
  const std::vector<ModelVariable>& variables = plan.model.variables();
  for (const auto& observable : plan.observables)
    for (const PathIntegral& integral : observable->needs().integrals) {
      if (!integral.over.empty()) integrals.push_back(integral);
      for (size_t i = 0; integral.over.empty() && i < variables.size(); ++i) {
        const bool velocity = integral.of == PathIntegral::velocity;
        if (velocity && !variables[i].inertial) continue;
        integrals.push_back(integral);
        integrals.back().over = velocity ? velocity_name(plan.model, i) : variables[i].name;
      }
    }
  return integrals;
}

/// The number in the kernel of what an integral is over. Throws Error if there is no such thing.
int over_number(const Model& model, const PathIntegral& integral) {
  const std::vector<std::string> known = differentials(model);
  const auto found = std::ranges::find(known, integral.over);
  if (found == known.end())
    fail("{}: an integral is over t, a variable or a velocity, got '{}'{}", integral.subject, integral.over,
         suggestion(integral.over, known));
  return static_cast<int>(found - known.begin()) - 1;
}

/// Whether a step adds a whole value, not the sum of the integrand at both ends, which is halved.
bool is_whole(const EnsemblePlan& plan, const Integral& integral) {
  return integral.rule != Integral::at_ends ||
         (plan.kernel.method == Method::aboba && (integral.of == Integral::driving || integral.of == Integral::force));
}

/// use(text, subject of messages) for every formula of parameters.
template <class F> void each_constant(const EnsemblePlan& plan, F use) {
  for (const auto& observable : plan.observables)
    for (const std::string& text : observable->needs().constants) use(text, "observe." + observable->name());
}

}  // namespace

std::vector<PathIntegral> integrals_of(const EnsemblePlan& plan) {
  std::vector<PathIntegral> integrals;
  const bool conserved = has_fixed_energy(plan.model);
  for (PathIntegral& integral : asked_integrals(plan)) {
    if (integral.of == PathIntegral::of_formula) {
      integrals.push_back(std::move(integral));
      continue;
    }
    const size_t k = variable_of(plan.model, over_number(plan.model, integral));
    if (integral.of == PathIntegral::force && conserved) integral.of = PathIntegral::driving;
    if (integral.of == PathIntegral::driving) {
      if (!(count(plan.model).forced >> k & 1)) continue;
      integral.name = driving_name(k, drift_is_outside(plan.model));
    }
    if (integral.of == PathIntegral::force) integral.name = force_name(k);
    if (integral.of == PathIntegral::velocity) integral.name = kinetic_name(k);
    if (std::ranges::count(integrals, integral.name, &PathIntegral::name) == 0)
      integrals.push_back(std::move(integral));
  }
  return integrals;
}

void choose_integrals(EnsemblePlan& plan, size_t first) {
  plan.kernel.integrals.clear();
  plan.kernel.first_integrand = first;
  for (const PathIntegral& integral : integrals_of(plan))
    plan.kernel.integrals.push_back({static_cast<Integral::Of>(integral.of), over_number(plan.model, integral)});
}

void choose_integral_rules(EnsemblePlan& plan) {
  const std::vector<ModelVariable>& variables = plan.model.variables();
  const bool noisy = std::ranges::any_of(plan.model.components(), [](const Component& component) {
    return component.plugin->has(BM_SIGMA) || component.plugin->has(BM_INCREMENT);
  });
  if (!noisy || !plan.model.underdamped()) return;
  size_t function = plan.kernel.first_integrand;
  for (Integral& integral : plan.kernel.integrals) {
    if (integral.of != Integral::formula) continue;
    const auto depends = [&, index = function++](size_t number) {
      return plan.model.observed()->plugin->state_functions()->depends(index, number);
    };
    if (integral.over < 0) continue;
    const size_t n = variables.size(), over = static_cast<size_t>(integral.over);
    bool places = false, rough = false;
    size_t velocity = n;
    for (size_t i = 0; i < n; ++i) {
      if (!variables[i].inertial) {
        rough = rough || depends(i);
        integral.encloses_areas = integral.encloses_areas || (over >= n && depends(i));
        continue;
      }
      places = places || depends(i);
      rough = rough || depends(velocity);
      integral.encloses_areas = integral.encloses_areas || (over >= n && over != velocity && depends(velocity));
      ++velocity;
    }
    if (over >= n)
      integral.rule = rough ? Integral::in_kick : places ? Integral::in_middle : Integral::at_ends;
    else if (variables[over].inertial && rough)
      integral.rule = Integral::in_motion;
  }
}

void check_integrals(const Plan& plan) {
  for (const PathIntegral& integral : integrals_of(plan)) {
    if (plan.kernel.method == Method::paper)
      fail("{}: method paper has no state at both ends of its steps, which an integral needs", integral.subject);
    if (integral.of == PathIntegral::of_formula && plan.options.random_phases &&
        plan.model.observed()->plugin->depends_on_time())
      fail("{}: a formula of t must not be observed where drives begin at random phases: it does not know them",
           integral.subject);
  }
  for (const PathIntegral& integral : asked_integrals(plan)) {
    const int over = over_number(plan.model, integral);
    if (over < 0) continue;
    const size_t variable = variable_of(plan.model, over);
    for (const Component& noise : plan.model.components()) {
      if (!jumps(plan.model, noise, variable)) continue;
      fail("{}: an integral over {} is not defined where it jumps, as {} makes it{}", integral.subject, integral.over,
           subject_of(noise),
           plan.model.variables()[variable].inertial
               ? fmt::format("; write that over x as one over t, of the formula times {}",
                             velocity_name(plan.model, variable))
               : "");
    }
  }
}

bool has_fixed_energy(const Model& model) {
  return !model.is_system() && !model.potential().plugin->depends_on_time() &&
         std::ranges::none_of(model.components(), &Component::modulates);
}

void check_energies(const EnsemblePlan& plan) {
  for (const auto& observable : plan.observables) {
    const Needs::Energies asked = observable->needs().energies;
    if (asked == Needs::none) continue;
    const std::string subject = "observe." + observable->name();
    for (const ModelVariable& variable : plan.model.variables())
      if (!variable.friction.empty())
        fail("{}: gamma must be a number: of a friction that is a formula, {}, it is not known how noise belongs to it",
             subject, variable.friction);
    for (const Component& component : plan.model.components()) {
      const uint32_t kind = (*component.plugin)->kind;
      const StateFunctions* formulas = component.plugin->state_functions();
      if (kind == BM_NOISE && (!component.plugin->has(BM_SIGMA) || plan.model.amplitude_of(component) != nullptr))
        fail(
            "{}: noise must be white, Gaussian and without an amplitude, that of a bath with one temperature; got {}{}",
            subject, subject_of(component), component.plugin->has(BM_SIGMA) ? " with an amplitude" : "");
      if (kind == BM_POTENTIAL && formulas != nullptr && formulas->reads_velocities())
        fail("{}: forces must not depend on velocities; those of {} do", subject,
             component.name.empty() ? "the equations" : subject_of(component));
      if (asked != Needs::work) continue;
      if (component.modulates ||
          (kind == BM_POTENTIAL && !component.name.empty() && component.plugin->depends_on_time()))
        fail("{}: {} makes the potential change with time, whose work is that of dV/dt: write it as observe.integral",
             subject, subject_of(component));
      if (kind == BM_POTENTIAL && component.name.empty() && formulas != nullptr && formulas->acts_on() != 0)
        fail(
            "{}: equations do not say which of their forces have a potential, and which do work: give potentials, or "
            "write the work as observe.integral",
            subject);
    }
    for (const Point& point : plan.points)
      for (size_t i = 0; asked == Needs::entropy && i < point.values.variables.size(); ++i) {
        const VariableFacts& facts = point.facts.variable(i);
        if (!(facts.thermal > 0 && facts.gamma > 0))
          fail("{}: {} must have a bath with a temperature > 0, got {} = {}", subject, plan.model.variables()[i].name,
               facts.gamma > 0 ? "D" : "gamma", facts.gamma > 0 ? facts.thermal : facts.gamma);
      }
  }
}

void keep_whole_periods(const EnsemblePlan& plan, Point& point) {
  std::optional<double> omega;
  const auto values = constants_at(plan, point.values);
  for (const auto& observable : plan.observables) {
    const std::string cycle = observable->needs().cycle;
    if (cycle.empty()) continue;
    const double asked_omega = values.at(cycle);
    if (asked_omega == 0) fail("observe.{}: omega must not be 0, got {}", observable->name(), cycle);
    if (omega && *omega != asked_omega)
      fail(
          "observe.{}: omega must be the same as in other observables of the run, whose window has whole periods; got "
          "{} and {}",
          observable->name(), asked_omega, *omega);
    omega = asked_omega;
    const double period = 2 * std::numbers::pi / std::abs(asked_omega), window = point.window();
    // a window that has whole periods already may be short of them by half a step
    const double whole = std::floor((window + point.time.dt / 2) / period * (1 + 1e-9));
    if (whole < 1)
      fail("observe.{}: the window must have at least one period 2 pi/omega = {:.6g}, got {:.6g}: give a longer time",
           observable->name(), period, window);
    point.time.transient = std::max(0.0, point.time.steps - std::round(whole * period / point.time.dt));
  }
}

std::optional<Counter> integral_counter(const EnsemblePlan& plan, const Point& point) {
  const std::vector<Integral>& integrals = plan.kernel.integrals;
  if (integrals.empty()) return {};
  const size_t n = integrals.size();
  Counter counter{
      .name = "integral",
      .type = "Integral",
      .state = {{FieldType::number, "sum", "over the steps of the window", n, true},
                {FieldType::real, "integrand", "at the end of the last step", n, true}},
      .motion = {{FieldType::real, "integral", "the same in this block of steps", n, true},
                 {FieldType::real, "integrand", "at the beginning of the step", n, true},
                 {FieldType::real, "integral_from", "what it is over, at the beginning of the step", n, true}}};
  if (std::ranges::any_of(integrals, [](const Integral& integral) { return integral.rule == Integral::in_kick; }))
    counter.motion.push_back({FieldType::real, "integral_start",
                              "positions, then velocities, at the beginning of the step",
                              2 * point.values.variables.size(), true});
  for (const Integral& integral : integrals) {
    const bool over_place = integral.over >= 0 && static_cast<size_t>(integral.over) < point.values.variables.size();
    const double ends = is_whole(plan, integral) ? 1 : 0.5;
    counter.units.push_back(ends * (integral.over < 0 ? point.time.dt
                                    : over_place ? point.values.variables[static_cast<size_t>(integral.over)].length()
                                                 : 1));
  }
  for (const PathIntegral& integral : integrals_of(plan)) counter.values.push_back(integral.name);
  return counter;
}

void check_constants(const EnsemblePlan& plan) {
  each_constant(
      plan, [&](const std::string& text, const std::string& subject) { check_constant(plan.model, text, subject); });
}

std::map<std::string, double, std::less<>> constants_at(const EnsemblePlan& plan, const ModelValues& values) {
  std::map<std::string, double, std::less<>> constants;
  each_constant(plan, [&](const std::string& text, const std::string& subject) {
    constants[text] = constant_value(plan.model, values, text, subject);
  });
  return constants;
}

}  // namespace bmsim
