// What the ranks of a run tell each other: that they have the same run, what was known at the beginning of a round, and
// what each of them has done in it. A process that is alone says nothing and hears nothing.
#pragma once
#include <functional>
#include <mutex>
#include <string>

#include "engine/round_results.h"

namespace bmsim {

class Journal;

/// All ranks call World::begin_round, share_known and share_done, in this order. Several threads may note at once.
class Peers {
 public:
  /// Fails unless all ranks have the same run. identity: that of the ensemble. looks_at_paths: the run hands out single
  /// paths, which those of several ranks cannot.
  static void compare(const std::string& identity, Journal* journal, bool looks_at_paths);
  /// Rank 0 tells all ranks what its journal knows of the round, so that all divide the same rest.
  void share_known(RoundResults& results);
  /// What this rank has done in the round.
  void note(size_t nth, const ShareResult& result);
  void note(const Piece& piece);
  /// Waits until all ranks have done their part of the round, and calls `meanwhile` now and then, for interrupts and
  /// progress. Then every rank sends what it has done to all others.
  void share_done(RoundResults& results, const std::function<void()>& meanwhile);

 private:
  std::mutex mutex_;
  std::string done_;  // records; guarded by mutex_
};

}  // namespace bmsim
