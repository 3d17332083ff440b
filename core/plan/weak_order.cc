// The order of the error that a plan's steps make.
#include <algorithm>

#include "plan/plan.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {
bool has_reflecting_walls(const Model& model) {
  return model.walls().size() > (model.absorbing() != nullptr ? 1U : 0U);
}
/// Noise makes events at zeros of first order: they come at the ends of steps, or crossings that return within a step
/// are not seen.
bool has_zeros_in_noise(const Model& model) {
  return has_gaussian(model) && std::ranges::any_of(model.events(), [](const Component* event) {
           return event->plugin->state_functions()->event()->trigger == EventShape::zero;
         });
}
/// All events of a step see the mean fields as they were before them.
bool has_rates_with_fields(const Model& model) {
  return std::ranges::any_of(model.events(), [](const Component* event) {
    const EventShape& shape = *event->plugin->state_functions()->event();
    return shape.trigger == EventShape::rate && shape.reads_fields;
  });
}
/// Integrals over several variables take the straight line between the ends of a step: of the area that noise encloses
/// there they see nothing.
bool encloses_areas(const EnsemblePlan& plan) {
  const std::vector<ModelVariable>& variables = plan.model.variables();
  return variables.size() > 1 && has_gaussian(plan.model) &&
         std::ranges::any_of(plan.kernel.integrals, [&](const KernelOptions::Integral& one) {
           const auto i = static_cast<size_t>(one.over);
           return one.encloses_areas || (one.of != KernelOptions::Integral::driving && one.over >= 0 &&
                                         i < variables.size() && !variables[i].inertial);
         });
}
}  // namespace

// Whether a level is met within a step is decided by a bridge with one strength of noise all along.
bool has_first_order_amplitude(const EnsemblePlan& plan) {
  const std::vector<ModelVariable>& variables = plan.model.variables();
  const auto meets_levels = [&](const std::unique_ptr<Observable>& one) {
    const size_t of = one->variable();
    return one->needs().looks == Looks::at_levels && !(of < variables.size() && variables[of].inertial);
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

}  // namespace bmsim
