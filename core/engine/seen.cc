#include "engine/seen.h"

#include <algorithm>
#include <bit>

#include "compose/trajectory.h"
#include "error.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {

/// Mask of the variables whose white noise moves what is seen within a step.
uint32_t moved_by_noise_of(const Model& model, const KernelOptions::Reads& reads) {
  uint32_t inertial = 0;
  for (size_t i = 0; i < model.variables().size(); ++i) inertial |= model.variables()[i].inertial ? 1U << i : 0;
  return (reads.variables & ~inertial) | reads.velocities;
}

/// Throws Error if steps have a law of which sums, as formulas have, go beyond a level otherwise than is known.
void check_law(const EnsemblePlan& plan, const Observable& observable) {
  const uint32_t noises = moved_by_noise_of(plan.model, *plan.kernel.seen_formula) & count(plan.model).white;
  const Increments law = plan.kernel.increments;
  if (std::popcount(noises) > 1 && (law == Increments::five_point || law == Increments::three_point))
    fail("observe.{}: of a formula that several noises move, increments must be gaussian or near_gaussian, got {}",
         observable.name(), increments_name(law));
}

/// Throws Error for noise with an amplitude that moves what is seen, unless its deviation is known at every level.
void check_amplitudes(const EnsemblePlan& plan, const Observable& observable, Looks looks) {
  const bool of_formula = plan.kernel.seen_formula.has_value();
  const KernelOptions::Reads reads = plan.kernel.seen_formula.value_or(KernelOptions::Reads{1U << plan.kernel.seen, 0});
  const uint32_t mask = moved_by_noise_of(plan.model, reads);
  for (const Component& noise : plan.model.components()) {
    const Component* amplitude = plan.model.amplitude_of(noise);
    if (amplitude == nullptr || !noise.plugin->has(BM_SIGMA) ||
        (amplitude->plugin->state_functions()->acts_on() & mask) == 0)
      continue;
    const bool known = !of_formula && plan.model.variables().size() == 1 && amplitude->plugin->phases_wrap().empty();
    if (looks == Looks::anywhere || !known)
      fail("observe.{}: {} must have no amplitude{}: how far paths go between two steps is not known",
           observable.name(), subject_of(noise),
           looks == Looks::anywhere || of_formula ? "" : " that depends on t or on another variable");
  }
}

}  // namespace

void choose_seen(EnsemblePlan& plan) {
  const Observable* first = nullptr;
  const size_t variables = plan.model.variables().size();
  for (const auto& observable : plan.observables)
    for (const Counter& counter : observable->counters(plan.points[0].facts)) {
      if (counter.looks == Looks::no) continue;
      if (first && first->variable() != observable->variable())
        fail("observe.{}: it and {} must be of the same variable: a run looks for crossings of one", observable->name(),
             first->name());
      first = observable.get();
      if (first->variable() < variables) {
        plan.kernel.seen = first->variable();
      } else {
        const StateFormula& formula = plan.formulas[first->variable() - variables];
        if (!formula.linear())
          fail(
              "observe.{}: of: {} must be of first degree in the variables: of other formulas it is not known how far "
              "they go between two steps",
              first->name(), formula.text());
        plan.kernel.seen_formula = {formula.reads_variables(), formula.reads_velocities_of()};
        check_law(plan, *first);
      }
      check_amplitudes(plan, *first, counter.looks);
    }
}

std::optional<Counter> seen_formula(const EnsemblePlan& plan, const Point& point) {
  const size_t variables = plan.model.variables().size();
  for (const auto& observable : plan.observables) {
    if (observable->variable() < variables) continue;
    if (std::ranges::all_of(observable->counters(point.facts),
                            [](const Counter& one) { return one.looks == Looks::no; }))
      continue;
    const StateFormula& formula = plan.formulas[observable->variable() - variables];
    const std::vector<double> all = formula.slopes(point.values);
    const auto velocities = all.begin() + static_cast<ptrdiff_t>(variables);
    const std::vector<double> slope(all.begin(), velocities), speed(velocities, all.end());
    std::vector<double> spread = slope;
    for (size_t i = 0, k = 0; i < variables; ++i)
      if (plan.model.variables()[i].inertial) spread[i] = speed[k++];
    Counter seen{.name = "seen_formula",
                 .type = "SeenFormula",
                 .parameters = {{FieldType::number, "per_period", slope, true},
                                {FieldType::number, "spread", spread, true},
                                {FieldType::real, "slope", slope, true},
                                {FieldType::real, "offset", {formula.offset(point.values)}}}};
    if (!speed.empty()) seen.parameters.push_back({FieldType::real, "speed", speed, true});
    return seen;
  }
  return {};
}

double thermal_intensity(const StateFormula& formula, const Model& model, const ModelValues& values,
                         const std::vector<VariableFacts>& variables) {
  if (!formula.linear()) return 0;
  const std::vector<double> slopes = formula.slopes(values);
  size_t velocity = values.variables.size();
  double sum = 0;
  for (size_t i = 0; i < values.variables.size(); ++i) {
    const VariableValues& one = values.variables[i];
    const double slope = model.variables()[i].inertial ? slopes[velocity++] / one.mass : slopes[i] / one.length();
    sum += slope * slope * variables[i].thermal;
  }
  return sum;
}

}  // namespace bmsim
