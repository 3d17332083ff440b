#include "engine/exact.h"

#include <fmt/format.h>

#include "model/pieces.h"

namespace bmsim {

namespace {

std::string why_not(const Component& one) {
  const Plugin& plugin = *one.plugin;
  const std::string name = fmt::format("{} '{}'", plugin.full_name(), one.name);
  if (plugin->kind == BM_DRIVE) return name + " is a drive";
  if (one.modulates) return name + " modulates the potential";
  if (plugin->kind == BM_POTENTIAL && !plugin.piecewise_linear_possible()) return name + " is not piecewise linear";
  if (plugin->kind != BM_NOISE) return "";
  if (plugin.has(BM_SIGMA)) return name + " has white noise";
  if (plugin.has(BM_EVOLVE)) return name + " is coloured noise";
  if (!plugin.has(BM_EVENTS)) return name + " has no events";
  return "";
}

}  // namespace

std::string why_not_exact(const Model& model) {
  if (model.is_system()) return "the model is a system";
  if (model.underdamped()) return "the model is underdamped";
  bool events = false;
  if (model.has_amplitude()) return "noise has an amplitude";
  if (!model.events().empty()) return "the model has events of the script";
  if (!model.walls().empty()) return "the model has walls";
  for (const Component& one : model.components()) {
    if (std::string why = why_not(one); !why.empty()) return why;
    events = events || one.plugin->has(BM_EVENTS);
  }
  return events ? "" : "the model has no noise";
}

std::string why_not_exact(const Model& model, const ModelValues& values) {
  if (!pieces_of(model, values).force.empty()) return "";
  const Component& potential = model.potential();
  return fmt::format("{} '{}' is not piecewise linear", potential.plugin->full_name(), potential.name);
}

std::vector<double> edges_of(const Model& model, const ModelValues& values) { return pieces_of(model, values).edge; }

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
