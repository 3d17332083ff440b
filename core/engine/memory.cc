#include "engine/memory.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "backend/backend.h"
#include "backend/out_of_memory.h"

namespace bmsim {

double Memory::in_flight() const { return std::clamp(std::floor(available / per_path()), 1.0, paths); }

Memory memory_of(const Plan& plan, double per_trajectory) {
  const double values = plan.model.underdamped() ? 2 : 1;
  const auto paths = static_cast<double>(plan.paths);
  Memory memory;
  memory.per_trajectory = per_trajectory;
  memory.per_recording = static_cast<double>(plan.most_marks()) * values * sizeof(double);
  memory.paths = paths * static_cast<double>(plan.points.size()) * (plan.needs.force_step ? 2 : 1);
  memory.available = static_cast<double>(
      plan.execution.memory > 0 ? plan.execution.memory
                                : make_backend(plan.execution.device, plan.execution.threads)->memory_bytes());
  memory.per_point = memory.in_flight() < paths ? memory.per_recording * paths : 0;
  return memory;
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
