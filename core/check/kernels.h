// A plugin on a device: the models that it is tried in, whether they compile, and short runs on the CPU.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "check/check.h"
#include "check/settings.h"
#include "engine/run.h"

namespace bmsim::checks {

constexpr const char* precisions[] = {"single", "double"};

/// The plugin at a setting, and nothing else, in an overdamped model.
Model plain_model(const Plugin& plugin, const Setting& setting);

/// Compiles for the CPU, every text that the settings make, and for NVRTC's newest architecture. Returns whether the
/// CPU's kernels are there.
bool check_kernels(const Plugin& plugin, std::span<const Setting> settings,
                   const std::function<void(const Finding&)>& tell);

/// Where every path of a run begins and ends, in units of length, by point.
struct Ends {
  std::vector<std::vector<double>> start, end;
  std::vector<double> duration;
  RunOutcome outcome;
};
Ends run_on_cpu(const Model& model, const Sweep& sweep, RunOptions options, const CheckOptions& check);

/// The force that a kernel makes of a potential, or of a drive, is that of the host function.
Finding check_device_force(const Plugin& plugin, std::span<const Setting> settings, const CheckOptions& check);

}  // namespace bmsim::checks
