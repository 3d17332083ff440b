// The kernel of a plan, compiled for each of its devices.
#pragma once
#include <memory>
#include <vector>

#include "backend/backend.h"
#include "engine/run.h"
#include "plan/plan.h"

namespace bmsim {

using Backends = std::vector<std::unique_ptr<Backend>>;
using Kernels = std::vector<std::unique_ptr<Kernel>>;

/// A kernel for a plan on each of its devices.
struct Compiled {
  Backends backends;
  Kernels kernels;
};
/// Throws Error: status device if there is no device or compiler. Notes device and kernel in the outcome.
Compiled compile(const EnsemblePlan& plan, RunOutcome& outcome);
Kernels compile_for(const EnsemblePlan& plan, const Backends& backends, RunOutcome& outcome);
/// Kernel options of the plan, with dialect and group size for the device.
KernelOptions shaped(const EnsemblePlan& plan, const Backend& backend);

}  // namespace bmsim
