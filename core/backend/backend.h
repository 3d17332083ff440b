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

namespace bmsim {

/// Memory and granularity of a compiled kernel.
struct KernelLayout {
  uint64_t lanes = 1;            ///< trajectories per group
  uint64_t group_bytes = 0;      ///< state of one group
  uint64_t parameter_bytes = 0;  ///< struct Parameters
  uint64_t scratch_bytes = 0;    ///< per thread
  uint64_t block = 1;            ///< iterations done between two foldings; a launch is a whole number of blocks
  uint64_t path_values = 2;      ///< see Ensemble::window
  uint64_t sample_values = 1;    ///< recorded at every mark: x, and v where it is underdamped
};

/// Sums over the paths of a point in the order of observe/moments.h: <d>, sum (d - <d>)^2, the same of q and of s,
/// and sum (d - <d>)(s - <s>).
using PointMoments = std::array<double, 8>;

/// Some groups of trajectories, at one or several sweep points.
struct Batch {
  struct Group {
    uint32_t point;       ///< index into parameters
    uint64_t trajectory;  ///< number of its first trajectory, counted over all points
    uint64_t path = 0;    ///< the same, counted in its share of the point
    uint32_t share = 0;   ///< of those that the batch has a part of
  };
  std::vector<Group> groups;
  std::span<const std::vector<std::byte>> parameters;  ///< by point, see pack_parameters
  /// By point, as many at each: whole steps at which paths are recorded, ascending; the last two or more never come.
  std::span<const std::vector<double>> marks;
  static constexpr size_t spare_marks = 2;
  static constexpr double never = 1e300;  ///< NEVER in kernels/state.h
  size_t marks_per_point() const { return marks.empty() ? 0 : marks[0].size() - spare_marks; }
  uint64_t seed = 1;
  size_t occupation_values = 0;  ///< numbers that are summed up for each share, see Occupation
};

/// The trajectories of one batch on a device.
class Ensemble {
 public:
  virtual ~Ensemble() = default;
  virtual void start() = 0;
  /// One launch: every group does `blocks` more blocks of iterations, or ends before. Returns whether any group goes
  /// on.
  virtual bool advance(uint64_t blocks) = 0;
  /// What is known of every trajectory at its end, shape (path_values, groups, lanes): x / L when the transient ended,
  /// x / L when the run did, and where it is underdamped the last v and the sum of v^2 over the steps of the window.
  /// The second is NaN where the trajectory diverged; the first then is the step at which that was seen. After them,
  /// where the kernel counts them: steps to the first passage, negative before it; of residence the steps in the lower
  /// and the upper state, how often they were left, the step at which the last one began, and which it is (1 lower, 2
  /// upper); the growth of the tangent vector's logarithm in the window.
  virtual void window(std::span<double> values) const = 0;
  /// What was recorded of the trajectories first ... first + paths - 1 of the batch, which are of one point: values x / L
  /// and, where it is underdamped, v. 0 where a trajectory ended before a mark. The ensemble outlives it.
  virtual std::unique_ptr<Samples> samples(size_t first, size_t paths) const = 0;
  /// What this batch adds to the sums of a share, see Occupation.
  virtual std::vector<int64_t> occupation(size_t share) const = 0;
  /// Whether a trajectory diverged; nothing where the device leaves it to the host to look at single paths.
  virtual std::optional<bool> diverged() const { return {}; }
  /// The moments of every point of a batch of whole points, where the device tells what diverged; lengths: the unit of u
  /// of each.
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
  /// Whether Ensemble::advance returns while the device is still at work, so that one thread can keep it busy with several
  /// ensembles. If not, several threads may advance one each.
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
