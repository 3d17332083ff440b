// Running shares of a plan's points on compiled kernels: divided over devices, a thread for each, and put together in
// the order of the shares. Progress and interrupts between launches.
#pragma once
#include <mutex>
#include <unordered_set>

#include "backend/backend.h"
#include "engine/device_runner.h"
#include "engine/keeper.h"
#include "engine/peers.h"
#include "engine/progress.h"
#include "engine/round_results.h"
#include "interruption.h"

namespace bmsim {

using Backends = std::vector<std::unique_ptr<Backend>>;
using Kernels = std::vector<std::unique_ptr<Kernel>>;

/// The devices of a plan, and a kernel for each of them.
struct Compiled {
  Backends backends;
  Kernels kernels;
};
/// Throws Error (status device) if there is no device or compiler. Notes device and kernel in the outcome.
Compiled compile(const EnsemblePlan& plan, RunOutcome& outcome);
/// Compiles the plan's kernel for each of these backends.
Kernels compile_for(const EnsemblePlan& plan, const Backends& backends, RunOutcome& outcome);
/// Whether a run is so short that compiling for several vectors of paths at once, and with -O3, takes longer than it
/// saves: 8e7 steps take 0.06 s longer, and the compilation 0.8 of 1.4 s less (g++ 12, white noise and kicks). A run
/// that may become longer is not brief, nor is one whose kernel serves other runs, too.
bool is_brief(const EnsemblePlan& plan);
/// Kernel options of the plan, with the dialect and the group size for a device.
KernelOptions shaped(const EnsemblePlan& plan, const Backend& backend);

/// Receives what one more share of a point gives.
using ShareDone = std::function<void(size_t point, const ShareResult& share)>;

class Runner {
 public:
  /// done: receives every complete share, in order, in the thread that runs the round. The outcome counts what was run.
  Runner(const EnsemblePlan& plan, const RunHooks& hooks, const Backends& backends, const Kernels& kernels,
         RunOutcome& outcome, ShareDone done);
  /// Runs shares in the given order.
  void run_shares(const std::vector<Share>& shares);
  /// The same for several runners on the same devices, side by side: begin each, then run_round.
  void begin(const std::vector<Share>& shares);
  static void run_round(const std::vector<Runner*>& runners);

 private:
  class Round;
  /// A device's part of a round.
  struct Worker {
    std::unique_ptr<DeviceRunner> runner;
    bool failed = false;
    Clock::time_point saved = Clock::now();
    double steps_before = 0;  // of earlier rounds
  };

  void recall_all();
  void recall(size_t nth);
  std::vector<Part> missing() const;
  std::vector<std::vector<Part>> divided(const std::vector<Part>& parts, size_t workers) const;
  double steps_of(const std::vector<Part>& parts) const;
  bool take_off(std::vector<Part>& batch, std::vector<Part>& left) const;
  std::vector<Part> take_states(std::vector<Part>& left, const std::vector<size_t>& devices);
  void leave(size_t device, bool unfinished);
  void deliver();
  void note(const Divergence& divergence);
  void between_launches();
  void end();
  void end_early() { count(progress_.made(), 0); }
  void count(double steps, double known);
  void check_parts();
  bool advance(size_t device);
  bool has_spare(size_t device);
  bool give_to_others(size_t device, const std::string& why);
  double steps() const;

  const EnsemblePlan& plan_;
  const RunHooks& hooks_;
  const Backends& backends_;
  RunOutcome& outcome_;
  ShareDone done_;
  PackedPoints points_;
  std::unordered_set<size_t> diverged_;  // points
  size_t noted_here_ = 0;                // of outcome_.diverged
  RoundResults results_;
  std::vector<std::unique_ptr<Worker>> workers_;  // by device
  Keeper keeper_;
  Peers peers_;
  RoundProgress progress_;

  std::mutex mutex_;                   // guards spare_, and which workers have failed
  std::vector<Part> spare_;            // of devices that have failed
  std::vector<RoundProgress*> shown_;  // of the round's runners, where this one shows them
  Clock::time_point noted_ = Clock::now();
};

}  // namespace bmsim
