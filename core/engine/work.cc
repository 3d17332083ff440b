// What a run will cost: its work in steps of a simple model, and the time that it will take.
#include <algorithm>
#include <cmath>

#include "backend/backend.h"
#include "engine/run.h"
#include "plan/exact.h"
#include "world/world.h"

namespace bmsim {

namespace {

constexpr double worth_a_look = 5;  // s: composing the kernel's text, to look up its speed, takes milliseconds

/// The work of a step of this method, in steps of heun.
double work_of_method(Method method) {
  if (method == Method::euler) return 0.6;
  if (method == Method::platen) return 1.3;
  if (method == Method::aboba) return 0.8;
  return method == Method::adaptive ? 3 : 1;
}

/// The work of a step, in steps of a simple model: of one variable, by heun, in single precision.
double work_of_step(const Plan& plan) {
  constexpr double operations_of_simple = 20, double_precision = 2, noise_with_events = 0.5;
  double work = 0;
  size_t operations = 0;
  for (const Component& component : plan.model.components()) {
    operations += component.plugin->operations();
    if (component.plugin->has(BM_EVENTS)) work += noise_with_events;
  }
  work += std::max(static_cast<double>(plan.model.variables().size()),
                   static_cast<double>(operations) / operations_of_simple);
  return work * work_of_method(plan.kernel.method) *
         (plan.kernel.precision == Precision::double_precision ? double_precision : 1);
}

double work_of_path(const Plan& plan, const Point& point) {
  if (makes_steps(plan.kernel.method)) return point.time.steps * work_of_step(plan);
  const double precision = plan.kernel.precision == Precision::double_precision ? 2 : 1;
  return moves_of_path(plan.model, point, point.time, plan.kernel) * steps_for_move * precision;
}

/// Steps of a simple model per second, with this many paths at each of this many points. Few paths leave lanes, or most
/// of a GPU, idle.
double typical_speed(bool cuda, double devices, double threads, double paths, double points) {
  constexpr double of_core = 1e9, of_gpu = 1e12, paths_of_gpu = 1.3e5, lanes = 96, fewest_lanes = 48;
  if (cuda) return of_gpu * devices * std::min(1.0, paths * points / devices / paths_of_gpu);
  const double groups = points * std::ceil(paths / lanes);
  return of_core * std::min(threads, groups) * std::min(1.0, paths / fewest_lanes);
}

}  // namespace

Expected expected(const Plan& plan) {
  Expected found;
  double work = 0, largest = 0, steps = 0;
  for (size_t i = 0; i < plan.points.size(); ++i) {
    const double work_at_point = work_of_path(plan, plan.points[i]);
    work += work_at_point, steps += plan.points[i].time.steps;
    if (work_at_point > largest) largest = work_at_point, found.slowest = i;
  }
  found.part = largest / work;
  found.steps = plan.total_steps();
  const bool cuda = plan.execution.device != "cpu" && gpu_count() > 0;
  found.device = cuda ? "cuda" : "cpu";
  const World& world = World::instance();
  const double threads = plan.execution.threads > 0 ? plan.execution.threads : available_cores();
  const double devices = cuda ? static_cast<double>(device_count(plan.execution.device)) : 1;
  const double speed = typical_speed(cuda, devices, threads, static_cast<double>(plan.paths * plan.replicas),
                                     static_cast<double>(plan.points.size()));
  found.steps_per_second = speed * steps / work;
  found.typical_seconds = found.steps / found.steps_per_second / world.size();
  if (found.steps / found.steps_per_second > worth_a_look)
    if (const double kept = cost(plan).steps_per_second; kept > 0) found.steps_per_second = kept, found.measured = true;
  found.steps_per_second *= world.size();
  found.seconds = found.steps / found.steps_per_second;
  return found;
}

}  // namespace bmsim
