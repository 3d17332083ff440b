#include "plan/exact.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "compose/walk_tables.h"
#include "model/memoryless.h"
#include "model/pieces.h"

namespace bmsim {

namespace {

double white_intensity(const Model& model, const ModelValues& values) {
  double D = 0;
  for (size_t k = 0; k < model.components().size(); ++k)
    if (const Plugin& plugin = *model.components()[k].plugin; plugin.has(BM_SIGMA))
      D += plugin.intensity(values.values[k].data()).value_or(0);
  return D;
}

/// white: whether white noise is allowed, as in a walk.
std::string why_not(const Component& component, bool white) {
  const Plugin& plugin = *component.plugin;
  const std::string name = fmt::format("{} '{}'", plugin.full_name(), component.name);
  if (plugin->kind == BM_DRIVE) return name + " is a drive";
  if (component.modulates && !white) return name + " modulates the potential";
  if (plugin->kind == BM_POTENTIAL && !plugin.piecewise_linear_possible()) return name + " is not piecewise linear";
  if (plugin->kind != BM_NOISE) return "";
  if (plugin.has(BM_SIGMA)) return white ? "" : name + " has white noise";
  if (plugin.has(BM_EVOLVE)) return name + " is coloured noise";
  if (!plugin.has(BM_EVENTS)) return name + " has no events";
  if (white && !is_memoryless(*component.plugin)) return name + " may have waiting times that are not exponential";
  return "";
}

std::string why_not(const Model& model, bool white) {
  if (model.is_system()) return "the model is a system";
  if (model.underdamped()) return "the model is underdamped";
  bool noise = false;
  if (model.has_amplitude()) return "noise has an amplitude";
  if (!model.events().empty()) return "the model has events of the script";
  if (!model.walls().empty()) return "the model has walls";
  for (const Component& component : model.components()) {
    if (std::string why = why_not(component, white); !why.empty()) return why;
    noise = noise || component.plugin->has(white ? BM_SIGMA : BM_EVENTS);
  }
  return noise ? "" : "the model has no " + std::string(white ? "white " : "") + "noise";
}

}  // namespace

std::string why_not_exact(const Model& model) { return why_not(model, false); }
std::string why_not_walk(const Model& model) { return why_not(model, true); }

std::string why_not_exact(const Model& model, const ModelValues& values) {
  if (!pieces_of(model, values).force.empty()) return "";
  const Component& potential = model.potential();
  return fmt::format("{} '{}' is not piecewise linear", potential.plugin->full_name(), potential.name);
}

double event_rate(const Model& model, const ModelValues& values) {
  double rate = 0;
  for (size_t k = 0; k < model.components().size(); ++k)
    if (const Plugin& plugin = *model.components()[k].plugin; plugin.has(BM_EVENTS))
      rate += 1 / plugin.time_scale(values.values[k].data());
  return rate;
}

std::string TickRate::text() const { return fmt::format("{} = {:.3g}", inverse, 1 / rate); }

TickRate tick_rate(const Model& model, const ModelValues& values) {
  const double D = white_intensity(model, values), length = values.only().length();
  double speed = values.only().constant_force, total_D = D;
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& component = model.components()[k];
    const double* numbers = values.values[k].data();
    if (component.plugin->has(BM_EVENTS) && !component.modulates)
      speed += component.plugin->mean(numbers).value_or(0), total_D += component.plugin->intensity(numbers).value_or(0);
  }
  const TickRate reasons[] = {
      {event_rate(model, values) / 8, "8 mean waits for an event"},
      {total_D > 0 ? 2 * speed * speed / total_D : 0, "D/(2 u^2), u being the velocity without V and D of all noises,"},
      {4 * D / (length * length), "L^2/(4 D)"}};
  return std::ranges::max(reasons, {}, &TickRate::rate);
}

double mean_push(const Model& model, const ModelValues& values) {
  constexpr double unknown = std::numeric_limits<double>::quiet_NaN();
  double push = values.only().constant_force;
  for (size_t k = 0; k < model.components().size(); ++k) {
    const Component& component = model.components()[k];
    if ((*component.plugin)->kind != BM_NOISE || component.modulates) continue;
    // The mean over a window is the stationary one where events are memoryless.
    const bool known = !component.plugin->has(BM_EVENTS) || is_memoryless(*component.plugin);
    push += known ? component.plugin->mean(values.values[k].data()).value_or(unknown) : unknown;
  }
  return push;
}

double moves_of_path(const Model& model, const Point& point, const PointTime& time, const KernelOptions& kernel) {
  const ModelValues& values = point.values;
  const double duration = time.steps * time.dt, events = event_rate(model, values);
  if (kernel.method == Method::walk) {
    const WalkTables tables = walk_tables(model, values, time.dt, kernel.levels);
    return duration * (1 / time.dt + events) * tables.moves_per_event();
  }
  // Without white noise a path rests where forces change their sign. Else it passes one edge after the other.
  const Pieces pieces = pieces_of(model, values);
  double slowness = 0;  // time for a period
  bool rests = false;
  for (size_t k = 0; k < pieces.force.size(); ++k) {
    const double speed = values.only().constant_force + pieces.force[k];
    rests = rests || speed * (values.only().constant_force + pieces.force[0]) <= 0;
    slowness += (pieces.edge[k + 1] - pieces.edge[k]) * values.only().length() / std::abs(speed);
  }
  const double passages = rests ? 0 : static_cast<double>(pieces.force.size()) / slowness;
  return duration * (events + passages);
}

std::vector<double> edges_of(const Model& model, const ModelValues& values) { return pieces_of(model, values).edge; }

double steps_per_iteration(const Model& model, const ModelValues& values, const PointTime& time,
                           const KernelOptions& kernel) {
  if (kernel.method != Method::exact && kernel.method != Method::walk) return 1;
  const double ticks = kernel.method == Method::walk ? 1 / time.dt : 0;  // per unit time
  const double events = ticks + event_rate(model, values);
  const double moves = kernel.method == Method::walk ? 2 : 1;  // for an event
  return events > 0 ? 1 / (moves * events * time.dt) : 1;
}

}  // namespace bmsim
