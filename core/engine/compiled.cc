// Compiles the kernel of a plan for each of its devices.
#include <algorithm>
#include <bit>
#include <optional>

#include "backend/digest.h"
#include "compose/composer.h"
#include "compose/trajectory.h"
#include "engine/runner.h"
#include "interruption.h"
#include "plan/exact.h"
#include "plan/memory.h"
#include "world/world.h"

namespace bmsim {

constexpr size_t many_numbers = 6;  // positions and velocities: six vectors of so many do not fit into registers

namespace {

/// Whether at half of the points or more a warp has less than one event in four steps on average.
bool events_are_rare(const EnsemblePlan& plan) {
  constexpr double steps_of_warp = 32 * 4;
  size_t rare = 0;
  for (const Point& point : plan.points)
    rare += event_rate(plan.model, point.values) * point.time.dt * steps_of_warp < 1 ? 1 : 0;
  return 2 * rare >= plan.points.size();
}

/// Operations of all formulas from which on a kernel has one vector of paths. With two, eight phases coupled all to all
/// compile in 12.6 s in place of 1.7 s, and run 1.3 times as long; 16 compile in more than a minute in place of 3 s
/// (g++ 12).
constexpr size_t many_operations = 100;

size_t operations_of(const Model& model) {
  size_t operations = 0;
  for (const Component& component : model.components()) operations += component.plugin->operations();
  return operations;
}

}  // namespace

bool is_brief(const EnsemblePlan& plan) {
  constexpr double few_steps = 2e8;
  if (plan.execution.kernel_paths > 0 || (plan.pools && !plan.together())) return false;
  double steps = 0;
  for (const Point& point : plan.points) steps += point.time.steps;
  return steps * static_cast<double>(plan.paths * plan.replicas) < few_steps;
}

KernelOptions shaped(const EnsemblePlan& plan, const Backend& backend) {
  KernelOptions options = plan.kernel;
  const uint64_t paths = plan.execution.kernel_paths > 0 ? plan.execution.kernel_paths : plan.paths;
  const KernelShape shape = backend.shape(paths, options.precision == Precision::double_precision, is_brief(plan));
  options.dialect = shape.cuda ? Dialect::cuda : Dialect::cpu;
  options.group = shape.group;
  options.rare_events = shape.cuda && events_are_rare(plan);
  if (shape.cuda && plan.together()) {  // a block is a system, or the largest part of one
    constexpr uint64_t least = 128, most = 1024;
    options.block_threads = static_cast<int>(std::clamp(std::bit_ceil(plan.paths), least, most));
  }
  // With two vectors a ring of 8 phases is a third faster than with six of 32 bytes (g++ 12, Zen 3), and 5 % faster
  // than with six of 64 bytes (g++ 13, Emerald Rapids). Dual numbers of 1 to 4 variables are up to 2.4 times faster
  // with two (g++ 12, Zen 5).
  const bool many = plan.model.variables().size() + count(plan.model).velocities >= many_numbers;
  const bool walks = options.method == Method::walk;  // equally fast with 1 to 6, within 20 %, but slow to compile
  if (many || walks || std::ranges::any_of(options.counters, &Counter::linearises))
    options.group = std::min(options.group, 2);
  if (operations_of(plan.model) >= many_operations) options.group = 1;
  return options;
}

Kernels compile_for(const EnsemblePlan& plan, const Backends& backends, RunOutcome& outcome) {
  const auto started = Clock::now();
  const std::string text = compose(plan.model, plan.points[0].values, shaped(plan, *backends[0]));
  Kernels kernels;
  std::optional<InterruptionScope> postponed;
  if (plan.execution.finish_compilation)
    postponed.emplace([check = interruption_check(), finish = plan.execution.finish_compilation] {
      if (!*finish && check) check();
    });
  for (const auto& backend : backends)  // the first backend compiles, the others find the kernel in the cache
    kernels.push_back(backend->compile(text, kernels.empty() ? plan.execution.keep_source : "", is_brief(plan)));
  postponed.reset();
  for (const auto& kernel : kernels) kernel->identity = digest(text);
  World::instance().gather("kernels", "");  // all ranks have their kernels: the run's own time begins
  outcome.compile_seconds += seconds_since(started);
  outcome.kernel_cached = kernels[0]->cached;
  outcome.kernel_source = kernels[0]->source;
  return kernels;
}

Compiled compile(const EnsemblePlan& plan, RunOutcome& outcome) {
  Compiled compiled;
  const World& world = World::instance();
  const bool shared = world.local_size() > 1;  // this machine, with other ranks
  const std::string device = shared ? world.device_for(plan.execution.device, gpu_count()) : plan.execution.device;
  compiled.backends = make_backends(device, threads_of_rank(plan.execution.threads), &outcome.why_cpu);
  for (const auto& backend : compiled.backends)
    outcome.device += (outcome.device.empty() ? "" : ", ") + backend->name();
  compiled.kernels = compile_for(plan, compiled.backends, outcome);
  return compiled;
}

}  // namespace bmsim
