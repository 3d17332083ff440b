// Checks of the device text: models with the plugin are compiled, and run for a short time on the CPU.
#pragma once
#include <functional>
#include <span>
#include <vector>

#include "check/check.h"
#include "check/settings.h"
#include "engine/run.h"

namespace bmsim::checks {

constexpr const char* precisions[] = {"single", "double"};

/// An overdamped model of the plugin at a setting, and nothing else.
Model plain_model(const Plugin& plugin, const Setting& setting);

/// Compiles every distinct text of the settings for the CPU, and one for NVRTC's newest architecture. Returns whether
/// all kernels for the CPU compile.
bool check_kernels(const Plugin& plugin, std::span<const Setting> settings,
                   const std::function<void(const Finding&)>& tell);

/// First and last positions of all paths of a run, in units of length, by point, then by variable.
struct Ends {
  std::vector<std::vector<double>> start, end;
  std::vector<double> duration;
  RunOutcome outcome;
};
Ends run_on_cpu(const Model& model, const Sweep& sweep, RunOptions options, const CheckOptions& check);

/// Checks that a kernel's force of a potential, or of a drive, is the host function's.
Finding check_device_force(const Plugin& plugin, std::span<const Setting> settings, const CheckOptions& check);

}  // namespace bmsim::checks
