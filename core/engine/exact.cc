#include "engine/exact.h"

#include <string>

#include "error.h"
#include "model/pieces.h"

namespace bmsim {

namespace {

[[noreturn]] void refuse(const std::string& what) {
  fail("run: method exact: {}; it is for overdamped models, piecewise-linear potentials, noises with events, no drives",
       what);
}

void check_component(const Component& one) {
  const Plugin& plugin = *one.plugin;
  const std::string name = fmt::format("{} '{}'", plugin.full_name(), one.name);
  if (plugin->kind == BM_DRIVE) refuse(name + " is a drive");
  if (one.modulates) refuse(name + " modulates the potential");
  if (plugin->kind == BM_POTENTIAL && !plugin.piecewise_linear_possible()) refuse(name + " is not piecewise linear");
  if (plugin->kind != BM_NOISE) return;
  if (plugin.has(BM_SIGMA)) refuse(name + " has white noise");
  if (plugin.has(BM_EVOLVE)) refuse(name + " is coloured noise");
  if (!plugin.has(BM_EVENTS)) refuse(name + " has no events");
}

}  // namespace

void check_exact(const Model& model) {
  if (model.underdamped()) refuse("the model is underdamped");
  bool events = false;
  for (const Component& one : model.components()) {
    check_component(one);
    events = events || one.plugin->has(BM_EVENTS);
  }
  if (!events) refuse("the model has no noise");
}

void check_exact(const Model& model, const ModelValues& values, const KernelOptions& kernel) {
  if (kernel.lyapunov) fail("run: method exact: observe.lyapunov needs steps");
  const Component& potential = model.potential();
  if (pieces_of(model, values).force.empty())
    refuse(fmt::format("{} '{}' is not piecewise linear", potential.plugin->full_name(), potential.name));
}

double steps_per_iteration(const Model& model, const ModelValues& values, const PointTime& time,
                           const KernelOptions& kernel) {
  if (kernel.method != Method::exact) return 1;
  double events = 0;  // per unit time
  const auto& components = model.components();
  for (size_t k = 0; k < components.size(); ++k)
    if (components[k].plugin->has(BM_EVENTS)) events += 1 / components[k].plugin->time_scale(values.values[k].data());
  return events > 0 ? 1 / (events * time.dt) : 1;
}

}  // namespace bmsim
