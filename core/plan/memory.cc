#include "plan/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <thread>

#include "backend/backend.h"
#include "backend/memory.h"
#include "error.h"
#include "scales/force_shape.h"
#include "world/world.h"

namespace bmsim {

namespace {

/// A run takes no more than this part of what is free: the process itself and other processes need some.
constexpr double most_used = 0.9;

/// Bytes of the recordings of all paths of a point, as they are collected.
double recordings_of_point(const EnsemblePlan& plan) {
  const double values = plan.model.underdamped() ? 2 : 1;
  return static_cast<double>(plan.most_marks()) * values * sizeof(double) * static_cast<double>(plan.paths);
}

/// How many numbers the results of so many points have; `kinds` of each, as estimates and errors of the step.
ResultSize numbers_of(const EnsemblePlan& plan, double kinds, double points) {
  ResultSize size;
  for (const auto& observable : plan.observables) {
    size.columns += 2 * kinds * static_cast<double>(observable->columns().size());
    for (const Array& array : observable->arrays(facts_of_all(plan))) {
      double numbers = array.name.ends_with("_err") ? 1 : kinds;
      for (const Coordinate& coordinate : array.coordinates) numbers *= static_cast<double>(coordinate.values.size());
      size.arrays += numbers;
    }
  }
  return {0, size.columns * points, size.arrays * points};
}

constexpr double of_heap = 16;  // what a block of memory costs beside its bytes

template <class Value> double bytes_in(const std::vector<Value>& values) {
  return values.empty() ? 0 : static_cast<double>(values.size() * sizeof(Value)) + of_heap;
}

double bytes_in(const ModelValues& values) {
  double bytes = static_cast<double>(values.values.bytes()) + of_heap + bytes_in(values.variables);
  for (const auto& component : values.arrays_of) {
    bytes += bytes_in(component);
    for (const auto& array : component) bytes += bytes_in(array);
  }
  return bytes;
}

}  // namespace

double Memory::in_flight() const { return std::clamp(std::floor(available / per_path()), 1.0, paths); }

Memory memory_of(const Plan& plan, double per_trajectory) {
  const auto paths = static_cast<double>(plan.paths);
  Memory memory;
  memory.per_trajectory = per_trajectory;
  memory.per_recording = recordings_of_point(plan) / paths;
  memory.paths = paths * static_cast<double>(plan.points.size()) * (plan.needs.force_step ? 2 : 1);
  memory.available =
      static_cast<double>(memory_for_batches(plan, *make_backend(plan.execution.device, plan.execution.threads)));
  memory.per_point = memory.in_flight() < paths ? memory.per_recording * paths : 0;
  return memory;
}

double bytes_of_points(const Plan& plan, size_t points) {
  const Point& point = plan.points[0];
  double bytes = sizeof(Point) + bytes_in(point.values) + bytes_in(point.x) + bytes_in(point.v) +
                 bytes_in(point.marks) + bytes_in(point.marks_of) + bytes_in(point.facts.several.all()) +
                 bytes_in(point.facts.edges.all()) + bytes_in(point.facts.grid_x.all()) +
                 bytes_in(point.facts.grid_v.all());
  if (point.perturbed) bytes += bytes_in(*point.perturbed);
  for (const auto& marks : point.marks_of) bytes += bytes_in(marks);
  constexpr double of_kernel = 256;  // parameters of the point, as kernels read them
  // Measured, with 10^4 to 10^6 points of models of one and of two variables: what is known of a point while its step
  // is chosen, over what is kept, where that is looked up; and what a run gathers of a point beside results.
  constexpr double while_planned = 1.8, while_run = 200;
  const double looked_up = ForceShapes::is_plain(plan.model) ? 1 : while_planned;
  return (looked_up * (bytes + of_kernel) + while_run) * static_cast<double>(points);
}

ResultSize result_size(const Plan& plan, const Sweep& sweep) {
  const double kinds = is_coupled(plan.options) ? 3 : 1;  // the estimates, their errors of the step, extrapolations
  const auto points = static_cast<double>(sweep.points());
  ResultSize size = numbers_of(plan, kinds, points);
  size.swept = static_cast<double>(sweep.names().size()) * points;
  return size;
}

double bytes_of_results(const EnsemblePlan& plan, const ResultSize& size) {
  // Estimates, the table, and its copy in a file; arrays, and their copy there. Systems of paths have squares, too.
  const double of_columns = 3, of_arrays = plan.together() ? 3 : 2;
  return sizeof(double) * (of_columns * (size.swept + size.columns) + of_arrays * size.arrays);
}

void check_fits(const Plan& plan, const Sweep& sweep) {
  const auto free = static_cast<double>(free_memory());
  const ResultSize size = result_size(plan, sweep);
  const size_t to_come = sweep.points() - plan.points.size();
  const double bytes = bytes_of_points(plan, to_come) + bytes_of_results(plan, size);
  if (bytes > free)
    fail(
        "run: {} point{} with {:.6g} numbers each would take {} of memory, and {} are free; record less (times, bins, "
        "count), or run a part of the sweep at a time",
        sweep.points(), sweep.points() == 1 ? "" : "s",
        (size.columns + size.arrays) / static_cast<double>(sweep.points()), size_text(bytes), size_text(free));
  const double path = static_cast<double>(plan.most_marks()) * (plan.model.underdamped() ? 2 : 1) * sizeof(double);
  if (path > free)
    fail("run: {} times of one path would take {} of memory, and {} are free; record less (times, count)",
         plan.most_marks(), size_text(path), size_text(free));
}

uint64_t memory_for_batches(const EnsemblePlan& plan, const Backend& backend) {
  if (plan.execution.memory > 0) return plan.execution.memory;
  if (backend.kind() != "cpu") return backend.memory_bytes();
  // On this computer batches share memory with recordings of a point and results, and with other ranks.
  const auto ranks = static_cast<double>(World::instance().local_size());
  const double room = most_used * static_cast<double>(free_memory()) / ranks -
                      bytes_of_results(plan, numbers_of(plan, 1, static_cast<double>(plan.points.size())));
  const double most = std::min(static_cast<double>(backend.memory_bytes()) / ranks, room);
  const double point = recordings_of_point(plan);
  return static_cast<uint64_t>(std::max(1.0, point <= most ? most : std::min(most, room - point)));
}

void check_recordings(const Plan& plan) {
  if (plan.most_marks() == 0) return;
  const auto backend = make_backend(plan.execution.device, plan.execution.threads);
  const Memory memory = memory_of(plan, 0);
  const auto free = static_cast<double>(free_memory());
  const bool chosen = plan.execution.memory == 0 && backend->kind() == "cpu";
  const double batch = chosen ? std::min(memory.total_bytes(), memory.per_path() * memory.in_flight()) : 0;
  const double results = bytes_of_results(
      plan, numbers_of(plan, is_coupled(plan.options) ? 3 : 1, static_cast<double>(plan.points.size())));
  const double bytes = memory.per_point + batch + results;
  if (bytes > free)
    fail(
        "run: {} paths recorded at {} times would take {} of memory, and {} are free; lower paths, or times or count "
        "of what is recorded",
        plan.paths, plan.most_marks(), size_text(bytes), size_text(free));
}

unsigned threads_of_rank(unsigned asked) {
  const World& world = World::instance();
  if (asked > 0 || world.local_size() == 1) return asked;
  // The launcher may have given each rank cores of its own.
  return std::min(available_cores(), std::max(1U, std::thread::hardware_concurrency() / world.local_size()));
}

std::string memory_text(const Memory& memory) {
  std::string text = fmt::format("memory      {} of trajectories, {:.0f} B each\n",
                                 size_text(memory.per_trajectory * memory.paths), memory.per_trajectory);
  if (memory.per_recording > 0)
    text += fmt::format("            {} of recordings, {} of each\n", size_text(memory.per_recording * memory.paths),
                        size_text(memory.per_recording));
  const double batches = std::ceil(memory.paths / memory.in_flight());
  if (batches > 1)
    text += fmt::format("            in {:.0f} batches of {} at most\n", batches,
                        size_text(memory.per_path() * memory.in_flight()));
  if (memory.per_point > 0)
    text += fmt::format("            {} more for the recordings of a point, which takes several batches\n",
                        size_text(memory.per_point));
  return text;
}

}  // namespace bmsim
