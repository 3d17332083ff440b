// Back ends: the CPU, or a GPU. A back end compiles a source text to a kernel; a kernel makes ensembles.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "backend/samples.h"
#include "error.h"
#include "kernels/abi.h"
#include "kernels/moments.h"

namespace bmsim {

using KernelLayout = bmsim_abi::Layout;
using bmsim_abi::LaneGroup;

using bmsim_abi::Bundle;
using bmsim_abi::BundleMoments;
using bmsim_abi::PartUnits;

/// Some groups of trajectories, at one or several sweep points.
struct Batch {
  std::vector<LaneGroup> groups;
  /// Of one point after the other, KernelLayout::parameter_bytes each, see ParameterSchema.
  std::span<const std::byte> parameters;
  /// Of one point after the other: whole steps at which paths are recorded, marks_per_point each and SPARE_MARKS, see
  /// bmsim_abi::Recorder.
  std::span<const double> marks;
  size_t marks_per_point = 0;
  uint64_t seed = 1;
  /// If the kernel has mean fields its groups are advanced together, and the batch has whole shares.
  size_t groups_per_share = 1;
  size_t sums_per_share = 0;  ///< see Counter::sums
};

/// Where value k of path first + i of a batch goes, for all i < paths: to[k * stride + i]. `first` begins a group.
struct WindowTarget {
  size_t first, paths;
  double* to;
  size_t stride;
};

/// The trajectories of one batch on a device.
///
/// An ensemble is used by the thread that made it, until that destroys it.
class Ensemble {
 public:
  virtual ~Ensemble() = default;
  virtual void start() = 0;
  /// Makes one launch, in which every group makes `blocks` more blocks of iterations, or fewer if it ends. Returns
  /// whether any group goes on. Throws Interruption if that need not wait for the end of the launch.
  virtual bool advance(uint64_t blocks) = 0;
  /// Everything that advances, as bytes, for restore() on a device of the same kind. Empty after an interrupted launch.
  virtual std::string save() = 0;
  /// Called in place of start(). Throws Error if the bytes have another size than this ensemble needs.
  virtual void restore(std::string_view state) = 0;
  /// Values of trajectories at their ends, see bmsim_abi::PathValues.
  virtual void window(std::span<const WindowTarget> targets) const = 0;
  /// Recordings of the trajectories first ... first + paths - 1 of the batch, all of one point: x / L and, if
  /// underdamped, v; NaN at the marks after a divergence. The ensemble must outlive them.
  virtual std::unique_ptr<Samples> samples(size_t first, size_t paths) = 0;
  /// Contribution of this batch to the sums of a share, see Counter::sums.
  virtual std::vector<int64_t> sums(size_t share) const = 0;
  /// Whether a trajectory diverged; nothing if the device leaves it to the host to look at single paths.
  virtual std::optional<bool> diverged() const { return {}; }
  /// Moments of one variable, for each of these bundles, on devices that have diverged(). units: by part.
  virtual std::vector<BundleMoments> moments(std::span<const Bundle> bundles, std::span<const PartUnits> units,
                                             size_t variable) const {
    (void)bundles, (void)units, (void)variable;
    return {};
  }
  /// Time of all launches so far by the device's own clock; 0 if it has none.
  virtual double device_seconds() const { return 0; }
};

/// How fast a device is, roughly.
struct Pace {
  uint64_t groups;          ///< at work at once
  double steps_per_second;  ///< of a fast model
};

/// A compiled kernel.
class Kernel {
 public:
  virtual ~Kernel() = default;
  virtual const KernelLayout& layout() const = 0;
  virtual std::unique_ptr<Ensemble> ensemble(Batch batch) = 0;
  /// Most groups of a batch, if the device bounds them apart from its memory: whole shares of groups_per_share. Throws
  /// Error (status device) if it cannot hold one share.
  virtual uint64_t most_groups(uint64_t groups_per_share) const {
    (void)groups_per_share;
    return UINT64_MAX;
  }
  virtual Pace pace() const = 0;
  /// Stores the speed of a run beside the cached kernel, for Backend::recorded_rate.
  virtual void record_rate(double steps_per_second) const = 0;
  std::string identity;  ///< digest of the source text
  bool cached = false;   ///< found in the cache instead of compiled
  std::string source;    ///< file that keeps the source text, empty if none was asked for
  std::string details;   ///< registers, occupancy and the like, for r.info; complete once there is an ensemble
};

/// Properties of the device that the text of a kernel depends on.
struct KernelShape {
  bool cuda = false;  ///< dialect cuda instead of cpu
  int group = 1;      ///< SIMD vectors per group of lanes
};

class Backend {
 public:
  virtual ~Backend() = default;
  virtual std::string name() const = 0;  ///< "cpu" or "cuda:1 (NVIDIA H200)", for r.info
  /// What results depend on: devices of equal kinds give the same bits.
  virtual std::string kind() const = 0;
  /// The kernel shape that is fastest for `paths` trajectories per point. brief: compilation counts, too.
  virtual KernelShape shape(uint64_t paths, bool double_precision, bool brief) const = 0;
  virtual uint64_t memory_bytes() const = 0;  ///< available for trajectories
  /// Whether Ensemble::advance returns while the device is still at work, so that one thread can keep the device busy
  /// with several ensembles. If not, several threads may advance one ensemble each.
  virtual bool queues_launches() const = 0;
  /// Compiles a kernel, or takes it from the cache. keep: directory for copies of the source and of what it is compiled
  /// to, see keep_file; empty for none. brief: a CPU's compiler takes less time over it. Throws Error (status device)
  /// with the compiler's message.
  virtual std::unique_ptr<Kernel> compile(const std::string& source, const std::string& keep, bool brief) = 0;
  /// Steps per second of an earlier run of this kernel, 0 if there was none.
  virtual double recorded_rate(const std::string& source, bool brief) const = 0;
};

/// device: "cpu", "cuda" (the first GPU), "cuda:N", "auto" for a GPU if there is one, "all" for all GPUs, or a list of
/// one kind, "cuda:0,cuda:2"; what is listed twice has two workers. threads: of the CPU, 0 for all cores, shared by its
/// workers. why: gets why auto chose the CPU. Throws Error (status device) if a device does not exist, or kinds differ.
std::vector<std::unique_ptr<Backend>> make_backends(const std::string& device, unsigned threads,
                                                    std::string* why = nullptr);
/// A back end for the first of these devices alone.
std::unique_ptr<Backend> make_backend(const std::string& device, unsigned threads);
/// How many devices the name stands for.
size_t device_count(const std::string& device);
/// Throws Error (status device) for what is no name of a device, whether there is one or not.
void check_device_names(const std::string& device);
/// Number of cores that this process may use.
unsigned available_cores();
/// Number of GPUs; 0 without a driver.
int gpu_count();

// The state of an ensemble as bytes: numbers and blocks of memory, one after the other, in the order of the writer.
inline void add_bytes(std::string& state, const void* from, size_t bytes) {
  state.append(static_cast<const char*>(from), bytes);
}

/// Takes the next bytes off. Throws Error if there are fewer.
inline void take_bytes(std::string_view& state, void* to, size_t bytes) {
  if (state.size() < bytes) fail("checkpoint: the state of trajectories is too short");
  if (bytes > 0) std::memcpy(to, state.data(), bytes);
  state.remove_prefix(bytes);
}

}  // namespace bmsim
