// How far a run has got, and how long the rest takes.
#pragma once
#include <functional>
#include <vector>

#include "engine/device_runner.h"

namespace bmsim {

/// Of an ensemble in its rounds of work. All steps are those of all paths.
class RoundProgress {
 public:
  /// steps: those that the devices of this process have made so far. all_delivered: whether the round is complete.
  RoundProgress(const RunHooks& hooks, std::function<double()> steps, std::function<bool()> all_delivered);
  /// in_round: steps of all shares of the round; known: those known before; here: those that this process is to do.
  void begin_round(uint64_t number, double in_round, double known, double here);
  /// Steps of this round: of all shares; that were known; that this process has made.
  double in_round() const { return in_round_; }
  double known() const { return known_; }
  double made() const { return steps_() - began_; }
  /// Seconds that this process still needs for its part of the round; not finite before the first step.
  double seconds_left() const;
  /// Rank 0 shows what all ranks have done of several ensembles of a round together, and the slowest one's time.
  static void tell(const std::vector<RoundProgress*>& together);

 private:
  const RunHooks& hooks_;
  std::function<double()> steps_;
  std::function<bool()> all_delivered_;
  uint64_t number_ = 0;  // see Tidings
  double in_round_ = 0, known_ = 0, here_ = 0;
  double began_ = 0;  // steps made before this round
  Clock::time_point started_ = Clock::now(), told_{};
};

/// Progress of a run that goes on until errors are small enough, as a part of the steps that it is expected to take.
class Forecast {
 public:
  /// expected(): steps of all paths in the run, as far as is known; NaN if not. report: gets the progress of the run.
  Forecast(std::function<double()> expected, std::function<void(const Progress&)> report)
      : expected_(std::move(expected)), report_(std::move(report)) {}
  /// Begins the next round, which has this many steps.
  void begin(double steps) { done_ += round_, round_ = steps, total_ = 0; }
  /// Steps of all rounds so far.
  double begun() const { return done_ + round_; }
  /// Turns the progress of the round into that of the run.
  void tell(Progress progress);
  /// Reports that the run has come to its end.
  void end() const;

 private:
  std::function<double()> expected_;
  std::function<void(const Progress&)> report_;
  double done_ = 0, round_ = 0, total_ = 0, speed_ = 0;
  Clock::time_point began_ = Clock::now(), asked_;
};

}  // namespace bmsim
