// Running shares of a plan's points on compiled kernels: divided over devices, a thread for each, and put together in
// the order of the shares. Progress and interrupts between launches.
#pragma once
#include <mutex>

#include "engine/compiled.h"
#include "engine/device_runner.h"
#include "engine/keeper.h"
#include "interruption.h"

namespace bmsim {

/// Receives what one more share of a point gives.
using ShareDone = std::function<void(size_t point, const ShareResult& share)>;

class Runner {
 public:
  /// done: receives every complete share, in order, in the thread that runs the round. The outcome counts what was run.
  Runner(const EnsemblePlan& plan, const RunHooks& hooks, const Backends& backends, const Kernels& kernels,
         RunOutcome& outcome, ShareDone done);
  ~Runner();
  Runner(const Runner&) = delete;
  Runner& operator=(const Runner&) = delete;
  /// Runs shares in the given order.
  void run_shares(const std::vector<Share>& shares);
  /// The same for several runners on the same devices, side by side: begin each, then run_round.
  void begin(const std::vector<Share>& shares);
  static void run_round(const std::vector<Runner*>& runners);

 private:
  class Round;
  /// What is known of a share of the round.
  struct Gathered {
    std::optional<ShareResult> result;
    std::vector<Piece> perturbed, pieces;             // in any order
    std::shared_ptr<ShareRows> perturbed_rows, rows;  // where their paths are; none before the first piece
    uint64_t groups = 0;                              // of the pieces
  };
  /// A device's part of a round.
  struct Worker {
    std::unique_ptr<DeviceRunner> runner;
    bool failed = false;
    Clock::time_point saved = Clock::now();
    double steps_before = 0;  // of earlier rounds
  };

  void recall_all();
  void recall(size_t nth);
  std::vector<std::vector<Part>> divided(const std::vector<Part>& parts, size_t workers) const;
  std::vector<Part> missing() const;
  double steps_of(const std::vector<Part>& parts) const;
  bool take_off(std::vector<Part>& batch, std::vector<Part>& left) const;
  std::vector<Part> take_states(std::vector<Part>& left, const std::vector<size_t>& devices);
  void leave(size_t device, bool unfinished);
  void take(size_t nth, ShareResult result);
  void take(Piece piece);
  std::shared_ptr<ShareRows> rows_of(Gathered& share, bool perturbed) const;
  void deliver();
  void between_launches();
  double seconds_left() const;
  void tell_progress();
  void wait_for_ranks();
  void end();
  void end_early() { count(steps() - round_began_, 0); }
  void count(double steps, double known);
  void check_parts();
  void compare_ranks() const;
  void share_known();
  void share_done();
  void take_records(std::string_view bytes);
  bool advance(size_t device);
  bool has_spare(size_t device);
  bool give_to_others(size_t device, const std::string& why);
  double steps() const;

  const EnsemblePlan& plan_;
  const RunHooks& hooks_;
  const Backends& backends_;
  const Kernels& kernels_;
  RunOutcome& outcome_;
  ShareDone done_;
  PackedPoints points_;
  Reduction assembler_;                           // of pieces
  std::vector<std::unique_ptr<Worker>> workers_;  // by device
  Keeper keeper_;

  std::vector<Share> shares_;       // of the round
  std::mutex mutex_;                // guards what is gathered and spare
  std::vector<Gathered> gathered_;  // by share of the round
  std::vector<Part> spare_;         // of devices that have failed
  std::string done_here_;           // on one of several ranks: what this one has done in the round
  size_t delivered_ = 0;
  double round_began_ = 0;  // steps made before this round
  // Steps of the shares of the round; those of them that the journal had; those that are done here.
  double steps_of_round_ = 0, steps_known_ = 0, steps_here_ = 0;
  uint64_t round_ = 0;             // see Tidings
  std::vector<Runner*> tells_of_;  // runners of the round whose progress this one tells
  Clock::time_point started_, noted_, told_;
};

}  // namespace bmsim
