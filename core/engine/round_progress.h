// How far an ensemble has got in its rounds of work, and how long the rest takes.
#pragma once
#include <functional>
#include <vector>

#include "engine/device_runner.h"

namespace bmsim {

/// All steps are those of all paths.
class RoundProgress {
 public:
  /// steps: those that the devices of this process have made so far. all_delivered: whether the round is complete.
  RoundProgress(const RunHooks& hooks, std::function<double()> steps, std::function<bool()> all_delivered);
  /// number: that of the round. in_round: steps of all its shares; known: those of them that were known before; here:
  /// those that this process is to do.
  void begin_round(uint64_t number, double in_round, double known, double here);
  /// Steps of this round: of all shares; that were known; that this process has made.
  double in_round() const { return in_round_; }
  double known() const { return known_; }
  double made() const { return steps_() - began_; }
  /// Seconds that this process still needs for its part of the round; not finite before the first step.
  double seconds_left() const;
  /// Rank 0 shows what all ranks have done of several ensembles of one round together, and the time that the slowest
  /// one needs.
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

}  // namespace bmsim
