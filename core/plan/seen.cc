#include "plan/seen.h"

#include <algorithm>

#include "compose/components.h"
#include "error.h"
#include "model/structure.h"

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

// ---- narrow structure ----

constexpr size_t samples = 256, few = 16;  // of a region
constexpr size_t most_looks = 4'000;       // at parts of the region
constexpr double usual = 0.9;              // part of the samples: their slopes are those of a formula without structure
constexpr double far_steeper = 3;          // than the usual slopes

Box point_of(const std::vector<double>& place) {
  Box point;
  for (const double x : place) point.push_back({x, x});
  return point;
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

SeenStructure structure_of(const StateFormula& formula, const Model& model, const ModelValues& values,
                           const SystemScales& scales, std::span<const double> noise, double known,
                           std::pair<double, double> between) {
  SeenStructure structure;
  formula::Enclosure f = formula.bounds(values);
  Box region;
  for (size_t i = 0; i < noise.size(); ++i) {
    const SystemScales::Extent& extent = scales.extents[i];
    if (!(extent.low <= extent.high) || !std::isfinite(extent.high - extent.low)) return structure;
    region.push_back({extent.low, extent.high});
  }
  const auto is_outside = [&](const formula::Interval& value) {
    return value.is_empty() || value.high < between.first || value.low > between.second;
  };
  const auto slope_at = [&](const std::vector<double>& place, size_t along) {
    const formula::Enclosed& there = f.over(point_of(place), along);
    return is_outside(there.value) || there.slope.is_empty() ? 0 : there.slope.size();
  };
  for (size_t along = 0; along < noise.size(); ++along) {
    if (noise[along] == 0 || !f.depends(along)) continue;
    double enough = std::sqrt(known / noise[along]);
    const double bound = f.over(region, along).slope.size();
    std::vector<double> slopes;
    // For most formulas a few samples show that no more are needed.
    for (size_t k = 0; k < samples && !(bound <= far_more * enough); ++k) {
      const double slope = slope_at(spread_over(region, k), along);
      if (std::isfinite(slope) && slope > 0) slopes.push_back(slope);
      if (k + 1 != few && k + 1 != samples) continue;
      if (slopes.empty()) continue;
      const size_t place = static_cast<size_t>(usual * static_cast<double>(slopes.size()));
      std::ranges::nth_element(slopes, slopes.begin() + static_cast<ptrdiff_t>(place));
      enough = std::max(std::sqrt(known / noise[along]), far_steeper / far_more * slopes[place]);
    }
    if (bound <= far_more * enough) continue;
    const auto negligible = [&](const formula::Enclosed& bounds, const Box&) { return is_outside(bounds.value); };
    const Extremes steepest = largest(f, region, Extreme::slope, along, enough, negligible, most_looks);
    if (steepest.singular) continue;
    if (steepest.most > far_more * enough) {
      double D = 0;
      for (size_t i = 0; i < noise.size(); ++i)
        if (noise[i] > 0) D += noise[i] * std::pow(f.over(point_of(steepest.at), i).slope.size(), 2);
      structure.D = std::max(structure.D, D);
    } else if (!steepest.settled && std::isfinite(steepest.bound) && steepest.bound > little_doubt * enough) {
      structure.settled = false;
      structure.unsure_at.clear();
      for (size_t i = 0; i < values.variables.size(); ++i)
        structure.unsure_at +=
            fmt::format("{}{} = {:.4g}", i == 0 ? "" : ", ", model.variables()[i].name, steepest.where[i]);
    }
  }
  return structure;
}

}  // namespace bmsim
