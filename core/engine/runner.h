// Running shares of a plan's points on one compiled kernel: batches, launches with progress and interrupts between
// them.
#pragma once
#include <chrono>
#include <memory>

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
  LaunchLength(const Plan& plan, const KernelLayout& layout);
  uint64_t blocks() const { return blocks_; }
  void adapt(double seconds);

 private:
  bool fixed_;
  uint64_t blocks_;
};

class Runner {
 public:
  /// done: what becomes of every share. Sums up in the outcome what was run.
  Runner(const Plan& plan, const RunHooks& hooks, Backend& backend, Kernel& kernel, RunOutcome& outcome,
         ShareDone done);
  /// Points in their order, a point's shares in theirs.
  void run_shares(const std::vector<Share>& shares);
  /// The same launch by launch, so that two runners can share a device: begin, then advance until it returns false.
  void begin(const std::vector<Share>& shares);
  bool advance();

 private:
  void pack(const Point& point, const ModelValues& values);
  void begin_batch();
  void end_batch();
  double batch_steps(const Batch& batch, uint64_t blocks) const;
  void between_launches(const Batch& batch, uint64_t blocks, bool more);

  const Plan& plan_;
  const RunHooks& hooks_;
  Kernel& kernel_;
  RunOutcome& outcome_;
  LaunchLength length_;
  size_t most_marks_;  // of any point, found once
  Reduction reduction_;
  std::vector<std::vector<std::byte>> parameters_;
  std::vector<std::vector<double>> marks_;
  std::vector<double> pace_;  // by point: steps that an iteration lasts, about
  uint64_t groups_per_share_ = 1, batch_groups_ = 1;
  std::vector<Share> shares_;
  Batch batch_;                                  // in hand
  std::unique_ptr<Ensemble> ensemble_;           // of it; none between batches
  uint64_t first_ = 0, blocks_done_ = 0;         // number of its first group; blocks that it has made
  uint64_t groups_ = 0;                          // of the round
  double steps_before_ = 0;                      // in earlier batches
  double round_began_ = 0, steps_of_round_ = 0;  // of the shares in hand
  Clock::time_point started_;
};

/// A kernel for a plan, and the device that it runs on.
struct Compiled {
  std::unique_ptr<Backend> backend;
  std::unique_ptr<Kernel> kernel;
};
/// Throws Error: status device if there is no device or compiler. Notes in the outcome what it found.
Compiled compile(const Plan& plan, RunOutcome& outcome);
std::unique_ptr<Kernel> compile_for(const Plan& plan, Backend& backend, RunOutcome& outcome);
/// The plan's kernel as the device wants it.
KernelOptions shaped(const Plan& plan, const Backend& backend);

}  // namespace bmsim
