// Model -> ONE kernel source text: dialect, plugins' device texts, generated parameters and calls, integrator, chunk
// loop. No parameter value is in the text, so a sweep compiles once.
#pragma once
#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "model/model.h"

namespace bmsim {

enum class Method { heun, platen, euler, paper };
enum class Increments { none, five_point, three_point, near_gaussian, gaussian };
enum class Precision { single_precision, double_precision };

/// The device language: vectors of SIMD lanes, or one thread per trajectory.
enum class Dialect { cpu, cuda };

/// What a kernel is compiled for, apart from the model's components.
struct KernelOptions {
  Method method = Method::heun;
  Increments increments = Increments::none;
  Precision precision = Precision::single_precision;
  Dialect dialect = Dialect::cpu;
  int group = 6;  ///< SIMD vectors per group of lanes (CPU)
};

std::string_view method_name(Method method);
std::string_view increments_name(Increments increments);
/// Throw Error listing the known names. "auto" is not among them: see engine/plan.h.
Method method_of(std::string_view name);
Increments increments_of(std::string_view name);

/// Whether the model has a white Gaussian part.
bool has_gaussian(const Model& model);
/// Whether the model has noises with events.
bool has_events(const Model& model);

/// The source text. Two models with the same components give the same text, whatever their values.
std::string compose(const Model& model, const KernelOptions& options);

/// Bytes kept per trajectory between launches (kernels/state.h).
size_t trajectory_bytes(const Model& model, const KernelOptions& options);

/// Time at one sweep point, in steps.
struct PointTime {
  double dt = 0;
  double steps = 0;      ///< of the whole run
  double transient = 0;  ///< of them, before anything is measured
};

/// The kernel's Parameters of one point: what struct Parameters in the source text holds, in its layout.
std::vector<std::byte> pack_parameters(const Model& model, const ModelValues& values, const PointTime& time,
                                       Precision precision);

}  // namespace bmsim
