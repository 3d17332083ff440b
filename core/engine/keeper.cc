#include "engine/keeper.h"

#include <fmt/format.h>

#include <utility>

#include "backend/warn.h"
#include "engine/records.h"
#include "error.h"

namespace bmsim {

Keeper::Keeper(Journal* journal, std::string identity) : journal_(journal), identity_(std::move(identity)) {}

std::string Keeper::key_of(const Share& share) const {
  return fmt::format("{}-{}-{}", identity_, share.point, share.number);
}

void Keeper::keep(const Share& share, const ShareResult& result) {
  if (keeps()) put(key_of(share), bytes_of(result));
}
void Keeper::keep(const Piece& piece) {
  if (keeps()) put(key_of(piece.part.share) + std::string(Journal::piece), bytes_of(piece));
}

void Keeper::note_begun(size_t shares) {
  begun_ += shares;
  put(std::string(Journal::begun), fmt::format("{} {}", identity_, begun_));
}
void Keeper::note_whole(const Share& share) {
  if (!keeps()) return;
  const std::string key = key_of(share) + std::string(Journal::whole);
  if (journal_->find(key).empty()) put(key, "");
}
void Keeper::note_left(double seconds) {
  const std::lock_guard lock(mutex_);
  try {
    journal_->note_left(identity_, seconds);
  } catch (const Error& error) {
    unsaved_ = error.what();
  }
}

void Keeper::put(std::string key, std::string bytes) {
  const std::lock_guard lock(mutex_);
  waiting_.push_back({std::move(key), std::move(bytes)});
  keep_waiting();
}

// Called with the mutex locked.
template <class F> bool Keeper::is_kept(F keep) {
  try {
    keep();
    return true;
  } catch (const Error& error) {
    if (journal_->part().of > 1) throw;
    unsaved_ = why_waiting_ = error.what();
    return false;
  }
}
bool Keeper::keep_waiting() {
  return is_kept([&] {
    for (; !waiting_.empty(); waiting_.pop_front()) journal_->put(waiting_.front().key, waiting_.front().bytes);
  });
}

bool Keeper::flush(bool now) {
  constexpr double between_tries = 1;  // seconds
  const std::lock_guard lock(mutex_);
  bool kept = waiting_.empty();
  if (now || seconds_since(tried_) > between_tries) tried_ = Clock::now(), kept = keep_waiting();
  return is_kept([&] { journal_->sync(now); }) && kept;
}

void Keeper::tell_unsaved() {
  std::string why;
  {
    const std::lock_guard lock(mutex_);
    why = std::exchange(unsaved_, "");
  }
  if (!why.empty() && journal_->fails_first()) warn(fmt::format("{}; the run goes on, and tries again later", why));
}

void Keeper::save_state(DeviceRunner& device, bool last) {
  if (!keeps()) return;
  std::string why;
  try {
    if (const std::optional<SavedBatch> batch = device.save())
      journal_->keep_state(batch_name(batch->parts, identity_), bytes_of(*batch, identity_));
  } catch (const Error& error) {
    why = error.what();
  }
  const std::lock_guard lock(mutex_);
  if (last && !keep_waiting()) why = why_waiting_;
  if (!why.empty()) (last ? unsaved_at_end_ : unsaved_) = why;
}

void Keeper::check_saved(const Interruption& end) {
  const std::lock_guard lock(mutex_);
  if (unsaved_at_end_.empty() || end.status() != BM_UNFINISHED) return;
  throw Interruption(fmt::format("{}; but the state of the paths at work could not be kept, and they go on from an "
                                 "earlier one or begin again: {}",
                                 end.what(), unsaved_at_end_),
                     BM_UNFINISHED);
}

}  // namespace bmsim
