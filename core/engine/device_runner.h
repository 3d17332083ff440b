// Runs parts of shares on one device, in batches and launches one after the other.
#pragma once
#include <atomic>
#include <chrono>
#include <deque>
#include <memory>

#include "engine/reduction.h"

namespace bmsim {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start);

/// Length of launches, in blocks: fixed, or long enough to hide overhead and short enough for Ctrl-C and progress.
class LaunchLength {
 public:
  static constexpr double seconds = 0.05;
  LaunchLength(const EnsemblePlan& plan, const KernelLayout& layout);
  uint64_t blocks() const { return blocks_; }
  /// Adapts the length to the time that the last launch took, in seconds.
  void adapt(double took);

 private:
  bool fixed_;
  uint64_t blocks_;
};

/// The points of a plan as kernels read them: by index, and the perturbed ones by index plus the number of points.
struct PackedPoints {
  std::vector<std::byte> parameters;  ///< equally many bytes of each, see ParameterSchema
  std::vector<double> marks;          ///< equally many of each, see bmsim_abi::Recorder
  std::vector<double> pace;           ///< by point of the plan: approximate number of steps per iteration
};
PackedPoints packed(const EnsemblePlan& plan, const KernelLayout& layout);

/// A batch at work: its parts, the number of blocks that its trajectories have made, and their state.
struct SavedBatch {
  std::vector<Part> parts;
  uint64_t blocks = 0;
  std::string state;
};

class DeviceRunner {
 public:
  /// memory: bytes for the trajectories of a batch.
  DeviceRunner(const EnsemblePlan& plan, const PackedPoints& points, Kernel& kernel, uint64_t memory, bool keep_windows,
               Reduction::Receiver receiver);
  /// Takes parts on, after those that it has; a part that is too large for a batch is split. Where an observable needs
  /// the same paths under more force, these perturbed paths come before each part, in the same batch.
  void add(const std::vector<Part>& parts);
  /// Takes on a batch whose trajectories were saved at work. False if it does not fit into memory.
  bool add(SavedBatch saved);
  /// The batch at work, with its state, to go on later; nothing between batches.
  std::optional<SavedBatch> save();
  /// Parts of the batch at work, or of the last batch.
  const std::vector<Part>& batch() const { return batched_; }
  /// One launch; false if there is nothing to do.
  bool advance();
  /// Drops the batch at work and gives back all parts that are not finished, without the perturbed paths.
  std::vector<Part> give_back();
  /// Steps of all paths so far. May be read by other threads.
  double steps() const { return steps_; }

  /// Work done so far.
  uint64_t batches = 0, launches = 0;
  double device_seconds = 0;

 private:
  void begin_batch();
  void take_points();
  void end_batch();
  double batch_steps(uint64_t blocks) const;
  double longest_path() const;

  const EnsemblePlan& plan_;
  const PackedPoints& points_;
  Kernel& kernel_;
  LaunchLength length_;
  uint64_t with_twins_;  // 2 if every path has a perturbed twin, else 1
  Reduction reduction_;
  uint64_t most_groups_, batch_groups_;  // groups of a batch: that memory has room for; of a new batch
  std::vector<Part> parts_;              // still to be done; parts of the batch at work come first
  std::vector<Part> batched_;            // parts of the current batch
  std::deque<SavedBatch> saved_;         // batches that wait; their parts come first in parts_
  size_t saved_parts_ = 0;               // number of parts of saved batches
  Batch batch_;
  std::unique_ptr<Ensemble> ensemble_;  // of the current batch; null between batches
  uint64_t blocks_done_ = 0;
  double stretch_ = 1;       // iterations that a path makes, over the expected number
  double steps_before_ = 0;  // of earlier batches
  std::atomic<double> steps_{0};
};

}  // namespace bmsim
