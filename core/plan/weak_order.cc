// The order of the error that a plan's steps make.
#include <algorithm>

#include "plan/plan.h"
#include "plugin/state_functions.h"

namespace bmsim {

namespace {
bool has_reflecting_walls(const Model& model) {
  return model.walls().size() > (model.absorbing() != nullptr ? 1U : 0U);
}
/// Events at zeros are of first order under noise: they come at the ends of steps, or crossings that return within a
/// step are missed.
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
/// Integrals over several variables take the straight line between the ends of a step, and miss the area that noise
/// encloses there.
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

}  // namespace bmsim
