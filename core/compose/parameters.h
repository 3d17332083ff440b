// Parameters of the kernel: both the struct in the source text and the bytes that fill it come from one list of fields.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "compose/kernel_options.h"
#include "model/model.h"

namespace bmsim {

/// Time of one sweep point, in steps.
struct PointTime {
  double dt = 0;
  double steps = 0;      ///< of the whole run
  double transient = 0;  ///< those before the window
};

/// Law of initial positions or velocities over the paths of a point: uniform on centre +- width / 2, plus a normal
/// part. If count > 0: that many evenly spaced values instead of uniform ones.
struct StartLaw {
  double centre = 0, width = 0, deviation = 0;
  uint32_t count = 0;
};

/// A point, as the kernel needs it.
struct PointSettings {
  PointTime time;
  StartLaw x, v;                    ///< in units of length and of velocity
  double paths = 1;                 ///< per point
  std::vector<Counter> counters{};  ///< those of KernelOptions, with their parameters at this point
  double local_error = 0;           ///< of method adaptive, see compose/step_map.h
  double substeps = 1;              ///< steps of `time` in one step for which local_error holds
};

/// The declarations of Parameters and of all it contains.
std::string parameter_text(const Model& model, const ModelValues& values, const KernelOptions& options);

/// Offset of a field of Parameters in the packed bytes.
struct ParameterOffset {
  std::string name;  ///< "h", or "c1.lambda" of component 1
  size_t offset;
};
std::vector<ParameterOffset> parameter_offsets(const Model& model, const KernelOptions& options);

/// Packed bytes of Parameters at one point, followed by the tables.
std::vector<std::byte> pack_parameters(const Model& model, const ModelValues& values, const PointSettings& point,
                                       const KernelOptions& options);

}  // namespace bmsim
