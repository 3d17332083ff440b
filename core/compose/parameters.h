// Parameters of the kernel. One list of fields gives both the struct in the source text and the bytes that fill it.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "compose/kernel_options.h"
#include "kernels/abi.h"
#include "model/model.h"

namespace bmsim {

/// Time of one sweep point, in steps of dt.
struct PointTime {
  double dt = 0;
  double steps = 0;                  ///< of the whole run
  double transient = 0;              ///< steps before the window
  double middle = bmsim_abi::NEVER;  ///< steps before the second half of the window, if the halves are compared
};

/// Law of initial positions or velocities over the paths of a point: uniform on centre +- width / 2, plus a normal
/// number. If count > 0, that many evenly spaced values take the place of uniform ones.
struct StartLaw {
  double centre = 0, width = 0, deviation = 0;
  uint32_t count = 0;
};

/// What the kernel must know of a point besides the values of the model.
struct PointSettings {
  PointTime time;
  std::span<const StartLaw> x, v;   ///< of every variable, in units of length and of velocity
  double paths = 1;                 ///< per point
  std::vector<Counter> counters{};  ///< the counters of KernelOptions, with their parameters at this point
  double local_error = 0;           ///< for method adaptive, see compose/step_map.h
  double substeps = 1;              ///< steps of `time` in one step for which local_error holds
};

/// The contents of the Parameters of a kernel: names and types of fields, and how the value of each follows from a
/// point. A schema is made once, and packs the values of every point.
class ParameterSchema {
 public:
  /// `values` are those of any point: lengths of arrays and choices of words are the same at all points.
  ParameterSchema(const Model& model, const ModelValues& values, const KernelOptions& options);
  ~ParameterSchema();
  /// The declarations of Parameters and of the structs in it.
  std::string text() const;
  /// Offset of every field of Parameters in the packed bytes: "h", or "c1.lambda" of component 1.
  std::vector<std::pair<std::string, size_t>> offsets() const;
  /// Adds the packed bytes of Parameters at a point, followed by the tables.
  void pack(const ModelValues& values, const PointSettings& point, std::vector<std::byte>& to) const;

 private:
  struct Contents;
  std::unique_ptr<const Contents> contents_;
};

}  // namespace bmsim
