// What the journal of a run keeps of an ensemble.
#pragma once
#include <deque>
#include <mutex>
#include <string>

#include "engine/device_runner.h"
#include "interruption.h"
#include "journal/journal.h"

namespace bmsim {

/// Puts results, pieces and states into a journal. What it cannot take, on a full disk, waits until it can: that does
/// not end a run, unless other processes wait for its part of it; Error is thrown then. May be used by several threads
/// at once.
class Keeper {
 public:
  /// journal: null keeps nothing. identity: of the ensemble, under which the journal has what is kept.
  Keeper(Journal* journal, std::string identity);
  bool keeps() const { return journal_ != nullptr; }
  Journal& journal() const { return *journal_; }
  const std::string& identity() const { return identity_; }
  std::string key_of(const Share& share) const;

  void keep(const Share& share, const ShareResult& result);
  void keep(const Piece& piece);
  /// That so many more shares begin; that all pieces of one are there; how long the rest takes. For people: the run
  /// needs no such notes.
  void note_begun(size_t shares);
  void note_whole(const Share& share);
  void note_left(double seconds);
  /// Tries again what waits, at most once in a second unless `now`, and makes what is kept durable. False if something
  /// still waits.
  bool flush(bool now);
  /// Says what keeps something from being kept, once for all runs: it may pass.
  void tell_unsaved();

  /// Keeps the batch at work on a device; last: the run ends here, and goes on at another time.
  void save_state(DeviceRunner& device, bool last);
  /// Throws what says more than the end of a run that was to be kept, if not all of it could be.
  void check_saved(const Interruption& end);

 private:
  struct Waiting {
    std::string key, bytes;
  };
  void put(std::string key, std::string bytes);
  bool keep_waiting();
  template <class F> bool is_kept(F keep);

  Journal* const journal_;
  const std::string identity_;
  std::mutex mutex_;  // guards all that follows, also while it is written
  std::deque<Waiting> waiting_;
  std::string unsaved_;         // why something could not be kept, until it is said
  std::string why_waiting_;     // the last reason
  std::string unsaved_at_end_;  // why the states with which the run ends could not
  uint64_t begun_ = 0;          // shares of all rounds
  Clock::time_point tried_{};
};

}  // namespace bmsim
