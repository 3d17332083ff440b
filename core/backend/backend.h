// What runs kernels: the CPU, or a GPU. A back end compiles a source text; a kernel makes ensembles.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "backend/samples.h"
#include "kernels/abi.h"

namespace bmsim {

using KernelLayout = bmsim_abi::Layout;
using bmsim_abi::LaneGroup;

/// Sums over the paths of a point in the order of observe/moments.h: <d>, sum (d - <d>)^2, the same of q and of s,
/// and sum (d - <d>)(s - <s>).
using PointMoments = std::array<double, 8>;

/// Some groups of trajectories, at one or several sweep points.
struct Batch {
  std::vector<LaneGroup> groups;
  std::span<const std::vector<std::byte>> parameters;  ///< by point, see pack_parameters
  /// By point, as many at each: whole steps at which paths are recorded, see bmsim_abi::Recorder.
  std::span<const std::vector<double>> marks;
  size_t marks_per_point() const { return marks.empty() ? 0 : marks[0].size() - bmsim_abi::SPARE_MARKS; }
  uint64_t seed = 1;
  size_t sums_per_share = 0;  ///< see Counter::sums
};

/// The trajectories of one batch on a device.
class Ensemble {
 public:
  virtual ~Ensemble() = default;
  virtual void start() = 0;
  /// One launch: every group does `blocks` more blocks of iterations, or ends before. Returns whether any group goes
  /// on.
  virtual bool advance(uint64_t blocks) = 0;
  /// The values of every trajectory at its end, shape (path_values, groups, lanes), see bmsim_abi::PathValues.
  virtual void window(std::span<double> values) const = 0;
  /// What was recorded of the trajectories first ... first + paths - 1 of the batch, which are of one point: values x /
  /// L and, where it is underdamped, v; NaN at the marks after a divergence. The ensemble outlives it.
  virtual std::unique_ptr<Samples> samples(size_t first, size_t paths) const = 0;
  /// What this batch adds to the sums of a share, see Counter::sums.
  virtual std::vector<int64_t> sums(size_t share) const = 0;
  /// Whether a trajectory diverged; nothing where the device leaves it to the host to look at single paths.
  virtual std::optional<bool> diverged() const { return {}; }
  /// The moments of every point of a batch of whole points, where the device tells what diverged; lengths: the unit of
  /// u of each.
  virtual std::vector<PointMoments> moments(uint64_t paths, std::span<const double> lengths) const {
    (void)paths, (void)lengths;
    return {};
  }
  /// Time that launches took on the device so far, where it has a clock of its own; else 0.
  virtual double device_seconds() const { return 0; }
};

/// A compiled kernel.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual const KernelLayout& layout() const = 0;
  virtual std::unique_ptr<Ensemble> ensemble(Batch batch) = 0;
  /// Notes beside the cached kernel how fast it ran, for Backend::recorded_rate.
  virtual void record_rate(double steps_per_second) const = 0;
  bool cached = false;  ///< found in the cache instead of compiled
  std::string source;   ///< file that keeps the source text, empty if none was asked for
  std::string details;  ///< registers, occupancy and the like, for r.info; complete when there is an ensemble
};

/// What the text of a kernel depends on besides the model.
struct KernelShape {
  bool cuda = false;  ///< the device language
  int group = 1;      ///< SIMD vectors per group of lanes
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;  ///< "cpu", for r.info
  /// The kernel that suits `paths` trajectories per point best.
  virtual KernelShape shape(uint64_t paths, bool double_precision) const = 0;
  virtual uint64_t memory_bytes() const = 0;  ///< that trajectories may use
  /// Whether Ensemble::advance returns while the device is still at work, so that one thread can keep it busy with
  /// several ensembles. If not, several threads may advance one each.
  virtual bool queues_launches() const = 0;
  /// Compiles, or takes it from the cache. keep: a directory that gets the source and what it is compiled to as well,
  /// see kept_files.h; empty for none. Throws Error (status device) with the compiler's message.
  virtual std::unique_ptr<Kernel> compile(const std::string& source, const std::string& keep) = 0;
  /// Steps per second of an earlier run of this kernel, 0 if there was none.
  virtual double recorded_rate(const std::string& source) const = 0;
};

/// device: "cpu", "cuda" (the first), "cuda:N", or "auto", a GPU if there is one. threads: of the CPU, 0 for all cores.
/// why: if given, the reason why auto chose the CPU. Throws Error (status device) for a device that is not there.
std::unique_ptr<Backend> make_backend(const std::string& device, unsigned threads, std::string* why = nullptr);

}  // namespace bmsim
