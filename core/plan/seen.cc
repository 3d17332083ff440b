#include "plan/seen.h"

#include <algorithm>

#include "compose/seen_noise.h"
#include "error.h"

namespace bmsim {

namespace {

/// The observable whose counters look for crossings of levels, null if there is none.
const Observable* looking(const EnsemblePlan& plan) {
  for (const auto& observable : plan.observables)
    if (observable->needs().looks != Looks::no) return observable.get();
  return nullptr;
}

/// Throws Error for a formula, or noise, if it is not known how far it goes between two steps.
void check_spread(const EnsemblePlan& plan, const Observable& observable) {
  const KernelOptions::Seen& seen = plan.kernel.seen;
  const StateFormula* formula = seen_formula(plan);
  if (formula != nullptr && formula->jumps())
    fail("observe.{}: of: {} must not jump where the state changes: steps do not tell when it does", observable.name(),
         formula->text());
  const bool anywhere = observable.needs().looks == Looks::anywhere;
  if (seen.of == KernelOptions::Seen::formula && anywhere)
    fail("observe.{}: of: {} must be of first degree in the variables: how far others go between two steps changes",
         observable.name(), formula->text());
  for (const Component* noise : seen_noise(plan.model, seen).multiplied)
    if (anywhere || !plan.model.amplitude_of(*noise)->plugin->phases_wrap().empty())
      fail("observe.{}: {} must have no amplitude{}: how far paths go between two steps is not known",
           observable.name(), subject_of(*noise), anywhere ? "" : " that depends on t or on fields");
}

}  // namespace

const StateFormula* seen_formula(const EnsemblePlan& plan) {
  const Observable* observable = looking(plan);
  const size_t variables = plan.model.variables().size();
  return observable == nullptr || observable->variable() < variables
             ? nullptr
             : &plan.formulas[observable->variable() - variables];
}

void choose_seen(EnsemblePlan& plan) {
  const Observable* first = looking(plan);
  if (first == nullptr) return;
  for (const auto& other : plan.observables)
    if (other->needs().looks != Looks::no && other->variable() != first->variable())
      fail("observe.{}: it and {} must be of the same variable: a run looks for crossings of one", other->name(),
           first->name());
  KernelOptions::Seen& seen = plan.kernel.seen;
  if (const StateFormula* formula = seen_formula(plan))
    seen = {.of = formula->linear() ? KernelOptions::Seen::linear_formula : KernelOptions::Seen::formula,
            .variables = formula->reads_variables(),
            .velocities = formula->reads_velocities_of()};
  else
    seen = {.index = first->variable(), .variables = 1U << first->variable()};
  if (seen_noise(plan.model, seen).sources > 1) plan.needs.law = true;  // sums are known only of normal increments
}

void check_seen(const EnsemblePlan& plan) {
  for (const auto& observable : plan.observables) {
    if (observable->needs().looks == Looks::no) continue;
    check_spread(plan, *observable);
    const Increments law = plan.kernel.increments;
    if (seen_noise(plan.model, plan.kernel.seen).sources > 1 &&
        (law == Increments::five_point || law == Increments::three_point))
      fail("observe.{}: of what several noises move, increments must be gaussian or near_gaussian, got {}",
           observable->name(), increments_name(law));
  }
}

std::optional<Counter> seen_counter(const EnsemblePlan& plan, const Point& point) {
  const StateFormula* formula = seen_formula(plan);
  if (formula == nullptr || !formula->linear()) return {};
  const size_t variables = plan.model.variables().size();
  const std::vector<double> slopes = formula->slopes(point.values);
  const auto velocities = slopes.begin() + static_cast<ptrdiff_t>(variables);
  const std::vector<double> slope(slopes.begin(), velocities), speed(velocities, slopes.end());
  std::vector<double> spread = slope;
  for (size_t i = 0, k = 0; i < variables; ++i)
    if (plan.model.variables()[i].inertial) spread[i] = speed[k++];
  return Counter{.name = "seen_formula",
                 .type = "SeenFormula",
                 .parameters = {{FieldType::number, "per_period", slope, true},
                                {FieldType::number, "spread", spread, true},
                                {FieldType::real, "slope", slope, true},
                                {FieldType::real, "speed", speed.empty() ? std::vector<double>{0} : speed, true},
                                {FieldType::real, "offset", {formula->offset(point.values)}}}};
}

double thermal_intensity(const StateFormula& formula, const Model& model, const ModelValues& values,
                         const std::vector<VariableFacts>& variables) {
  if (!formula.linear()) return 0;
  const std::vector<double> slopes = formula.slopes(values);
  size_t velocity = values.variables.size();
  double sum = 0;
  for (size_t i = 0; i < values.variables.size(); ++i) {
    const VariableValues& variable = values.variables[i];
    const double slope =
        model.variables()[i].inertial ? slopes[velocity++] / variable.mass : slopes[i] / variable.length();
    sum += slope * slope * variables[i].thermal;
  }
  return sum;
}

}  // namespace bmsim
