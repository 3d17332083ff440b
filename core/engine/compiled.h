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

/// The devices of a plan, and a kernel for each of them.
struct Compiled {
  Backends backends;
  Kernels kernels;
};
/// Throws Error (status device) if there is no device or compiler. Notes device and kernel in the outcome.
Compiled compile(const EnsemblePlan& plan, RunOutcome& outcome);
/// Compiles the plan's kernel for each of these backends.
Kernels compile_for(const EnsemblePlan& plan, const Backends& backends, RunOutcome& outcome);
/// Kernel options of the plan, with the dialect and the group size for a device.
KernelOptions shaped(const EnsemblePlan& plan, const Backend& backend);

}  // namespace bmsim
