// Running shares of a plan's points on one compiled kernel: batches, launches with progress and interrupts between
// them.
#pragma once
#include <chrono>
#include <memory>

#include "compose/parameters.h"
#include "engine/reduction.h"
#include "engine/run.h"
#include "engine/target.h"

namespace bmsim {

using Clock = std::chrono::steady_clock;
double seconds_since(Clock::time_point start);

/// Length of launches, in blocks: fixed, or adapted so that one lasts long enough to hide its overhead and is short
/// enough for Ctrl-C and progress.
class LaunchLength {
 public:
  static constexpr double seconds = 0.05;
  LaunchLength(const EnsemblePlan& plan, const KernelLayout& layout);
  uint64_t blocks() const { return blocks_; }
  void adapt(double seconds);

 private:
  bool fixed_;
  uint64_t blocks_;
};

class Runner {
 public:
  /// done: receives every complete share. The outcome counts what was run.
  Runner(const EnsemblePlan& plan, const RunHooks& hooks, Backend& backend, Kernel& kernel, RunOutcome& outcome,
         ShareDone done);
  /// Runs shares in the given order.
  void run_shares(const std::vector<Share>& shares);
  /// The same, launch by launch, so that two runners can share a device: begin, then advance until it returns false.
  void begin(const std::vector<Share>& shares);
  bool advance();

 private:
  void pack(const Point& point, const ModelValues& values);
  void begin_batch();
  void end_batch();
  double batch_steps(const Batch& batch, uint64_t blocks) const;
  void between_launches(const Batch& batch, uint64_t blocks, bool more);

  const EnsemblePlan& plan_;
  const ParameterSchema schema_;
  const RunHooks& hooks_;
  Kernel& kernel_;
  RunOutcome& outcome_;
  LaunchLength length_;
  size_t most_marks_;  // of any point
  Reduction reduction_;
  std::vector<std::vector<std::byte>> parameters_;
  std::vector<std::vector<double>> marks_;
  std::vector<double> pace_;  // by point: approximate number of steps per iteration
  uint64_t groups_per_share_ = 1, batch_groups_ = 1;
  std::vector<Share> shares_;
  Batch batch_;                           // the current one
  std::unique_ptr<Ensemble> ensemble_;    // of the current batch; null between batches
  uint64_t first_ = 0, blocks_done_ = 0;  // index of the first group of the batch; blocks that the batch has made
  uint64_t groups_ = 0;                   // of the round
  double steps_before_ = 0;               // steps of earlier batches
  double round_began_ = 0, steps_of_round_ = 0;  // steps made before this round; steps of this round
  Clock::time_point started_;
};

/// A kernel for a plan, and the device that it runs on.
struct Compiled {
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Kernel> kernel;
};
/// Throws Error: status device if there is no device or compiler. Notes device and kernel in the outcome.
Compiled compile(const EnsemblePlan& plan, RunOutcome& outcome);
std::unique_ptr<Kernel> compile_for(const EnsemblePlan& plan, Backend& backend, RunOutcome& outcome);
/// Kernel options of the plan, with dialect and group size for the device.
KernelOptions shaped(const EnsemblePlan& plan, const Backend& backend);

}  // namespace bmsim
