// Parameters of the kernel: both the struct in the source text and the bytes that fill it come from one list of fields.
#pragma once
#include <cstddef>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "compose/kernel_options.h"
#include "kernels/abi.h"
#include "model/model.h"

namespace bmsim {

/// Time of one sweep point, in steps.
struct PointTime {
  double dt = 0;
  double steps = 0;                  ///< of the whole run
  double transient = 0;              ///< those before the window
  double middle = bmsim_abi::NEVER;  ///< those before its second half, if the halves are compared
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
  std::vector<StartLaw> x, v;       ///< of every variable, in units of length and of velocity
  double paths = 1;                 ///< per point
  std::vector<Counter> counters{};  ///< those of KernelOptions, with their parameters at this point
  double local_error = 0;           ///< of method adaptive, see compose/step_map.h
  double substeps = 1;              ///< steps of `time` in one step for which local_error holds
};

/// What Parameters of a kernel contain: names and types of the fields, and how the value of each follows from a point.
/// Made once; its values are packed for every point.
class ParameterSchema {
 public:
  /// `values` are those of any point: lengths of arrays and choices of words are the same at all.
  ParameterSchema(const Model& model, const ModelValues& values, const KernelOptions& options);
  ~ParameterSchema();
  /// The declarations of Parameters and of all it contains.
  std::string text() const;
  /// Offset of every field of Parameters in the packed bytes: "h", or "c1.lambda" of component 1.
  std::vector<std::pair<std::string, size_t>> offsets() const;
  /// Packed bytes of Parameters at a point, followed by the tables.
  std::vector<std::byte> pack(const ModelValues& values, const PointSettings& point) const;

 private:
  struct Contents;
  std::unique_ptr<const Contents> contents_;
};

}  // namespace bmsim
