// Keeps the results of an ensemble in the journal of its run.
#pragma once
#include <deque>
#include <mutex>
#include <string>

#include "engine/device_runner.h"
#include "interruption.h"
#include "journal/journal.h"

namespace bmsim {

/// Puts results, pieces and states into a journal. What cannot be written, on a full disk, waits until it can. This
/// does not end a run, unless other processes wait for this part of it: then it throws Error. Several threads may use
/// it at once.
class Keeper {
 public:
  /// journal: null keeps nothing. identity: that of the ensemble, the key of its results in the journal.
  Keeper(Journal* journal, std::string identity);
  bool keeps() const { return journal_ != nullptr; }
  Journal& journal() const { return *journal_; }
  const std::string& identity() const { return identity_; }
  std::string key_of(const Share& share) const;

  void keep(const Share& share, const ShareResult& result);
  void keep(const Piece& piece);
  /// Notes for people, which the run itself does not need: that this many more shares begin, that all pieces of a share
  /// are there, and how long the rest takes.
  void note_begun(size_t shares);
  void note_whole(const Share& share);
  void note_left(double seconds);
  /// Tries again to write what waits, at most once a second unless `now`, and makes what is written durable. False if
  /// something still waits.
  bool flush(bool now);
  /// Warns that something could not be kept, and why; once for all runs, since the reason may go away.
  void tell_unsaved();

  /// Keeps the state of the batch at work on a device. last: the run ends here, and goes on at another time.
  void save_state(DeviceRunner& device, bool last);
  /// If the run is to go on later but a state could not be kept: throws an Interruption that says so, too.
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
  std::mutex mutex_;  // guards all members below, also while they are written to the journal
  std::deque<Waiting> waiting_;
  std::string unsaved_;         // why something could not be kept, until the user is told
  std::string why_waiting_;     // why the last try to write failed
  std::string unsaved_at_end_;  // why states at the end of the run could not be kept
  uint64_t begun_ = 0;          // number of shares in all rounds
  Clock::time_point tried_{};
};

}  // namespace bmsim
