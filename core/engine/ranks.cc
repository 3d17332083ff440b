// What the ranks of a run tell each other: that they have the same run, what was known at the beginning of a round,
// what each of them has done in the round, and their progress.
#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "backend/warn.h"
#include "engine/records.h"
#include "engine/runner.h"
#include "error.h"
#include "journal/journal.h"
#include "printable.h"
#include "world/world.h"

namespace bmsim {

namespace {

/// The checkpoint of a rank, as messages name it. If it cannot be written: a second line that says why.
std::string kept_by_rank(const Journal* journal) {
  if (journal == nullptr) return "no --checkpoint";
  const JournalPart& part = journal->part();
  std::string text = fmt::format("--checkpoint '{}'", printable(journal->directory().string()));
  if (part.of > 1) text += fmt::format(" --part {}/{}", part.number, part.of);
  return journal->unwritten().empty() ? text : text + "\n" + journal->unwritten();
}

std::string_view first_line(std::string_view text) { return text.substr(0, text.find('\n')); }

/// Fails unless all ranks have the same checkpoint: those with a journal would wait where others do not. Rank 0 warns
/// for ranks whose journals cannot be written.
void compare_checkpoints(World& world, Journal* journal) {
  const FromRanks checkpoints = world.gather("checkpoints of a run", kept_by_rank(journal));
  for (size_t rank = 1; rank < checkpoints.of.size(); ++rank) {
    const std::string_view text = checkpoints.of[rank];
    const std::string_view kept = first_line(text), kept_by_first = first_line(checkpoints.of[0]);
    if (kept != kept_by_first)
      fail("checkpoint: rank {} has {}, and rank 0 {}; all ranks must be given the same --checkpoint and --part", rank,
           kept, kept_by_first);
    if (world.rank() == 0 && kept.size() < text.size() && journal->fails_first())
      warn(fmt::format("rank {}: {}; the run goes on, and tries again later", rank, text.substr(kept.size() + 1)));
  }
}

}  // namespace

// Fails unless all ranks have the same run.
void Runner::compare_ranks() const {
  World& world = World::instance();
  if (world.size() == 1) return;
  compare_checkpoints(world, hooks_.journal);
  if (hooks_.window) fail("run: paths of several ranks cannot be looked at");
  const std::string mine = identity_of(plan_, points_.parameters, *kernels_[0], backends_[0]->kind());
  const FromRanks identities = world.gather("a run", mine);
  for (size_t rank = 1; rank < identities.of.size(); ++rank)
    if (identities.of[rank] != identities.of[0])
      fail(
          "run: rank {} has another run than rank 0: other model, parameters, points, paths, seed, observables or kind "
          "of device; a script must do the same on all ranks",
          rank);
}

// Rank 0 tells all ranks what its journal knows of the round, so that all divide the same rest.
void Runner::share_known() {
  World& world = World::instance();
  done_here_.clear();
  if (world.size() == 1) return;
  std::string mine;
  if (world.rank() == 0)
    for (size_t i = 0; i < gathered_.size(); ++i) {
      if (gathered_[i].result) add_record(mine, i, *gathered_[i].result);
      for (const auto* pieces : {&gathered_[i].perturbed, &gathered_[i].pieces})
        for (const Piece& piece : *pieces) add_record(mine, piece);
    }
  for (Gathered& share : gathered_) share = Gathered();
  take_records(world.gather("the beginning of a round", std::move(mine)).of[0]);
}

// Every rank sends what it has done to all others.
void Runner::share_done() {
  World& world = World::instance();
  if (world.size() == 1) return;
  wait_for_ranks();
  const FromRanks records = world.gather("the end of a round", std::exchange(done_here_, {}));
  for (size_t rank = 0; rank < records.of.size(); ++rank)
    if (rank != world.rank()) take_records(records.of[rank]);
}

// Files the results of other ranks among those of the round.
void Runner::take_records(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  while (!bytes.empty()) {
    const Record record = next_record(bytes);
    Gathered& share = gathered_.at(record.nth);
    if (record.piece) {
      Piece piece = piece_of(record.bytes, shares_[record.nth], record.nth,
                             [&](bool perturbed) { return rows_of(share, perturbed); });
      share.groups += piece.part.groups;
      (piece.part.share.perturbed ? share.perturbed : share.pieces).push_back(std::move(piece));
    } else {
      share.result = share_result(record.bytes);
    }
  }
}

// Time that this process still needs for its part of the round.
double Runner::seconds_left() const {
  const double done = steps();
  return std::max(0.0, steps_here_ - (done - round_began_)) * seconds_since(started_) / done;
}

// Rank 0 shows what all ranks have done, and the time that the slowest one needs.
void Runner::tell_progress() {
  World& world = World::instance();
  const bool alone = world.size() == 1;
  if (tells_of_.empty() || (!hooks_.progress && (alone || seconds_since(told_) < 1))) return;
  told_ = Clock::now();
  const auto round = static_cast<double>(round_);
  double total = 0, here = 0, known = 0, in_round = 0, to_do = 0;  // steps
  bool delivered = true;
  for (const Runner* runner : tells_of_) {
    const double steps = runner->steps();
    total += steps, here += steps - runner->round_began_, to_do += runner->steps_here_;
    known += runner->steps_known_, in_round += runner->steps_of_round_;
    delivered = delivered && runner->delivered_ == runner->gathered_.size();
  }
  const double seconds = seconds_since(started_), speed = total / seconds;
  const Tidings mine{round, here, std::max(0.0, to_do - here) * seconds / total};
  double done = 0, left = 0;
  for (const Tidings& tidings : alone ? std::vector{mine} : world.tidings(mine)) {
    if (tidings.round != round) continue;
    done += tidings.steps;
    left = std::max(left, tidings.seconds_left);
  }
  if (!hooks_.progress) return;
  if (hooks_.journal != nullptr && hooks_.journal->part().of > 1) in_round -= std::exchange(known, 0);
  // Trajectories with events lag a little behind, by less than one launch.
  const double shown = delivered ? 1 : std::min(in_round > 0 ? (known + done) / in_round : 1, 0.999);
  hooks_.progress({shown, here > 0 ? speed * done / here : speed, left});
}

// Waits until all ranks have done their part of the round; meanwhile handles interrupts and progress.
void Runner::wait_for_ranks() {
  World& world = World::instance();
  constexpr auto pause = std::chrono::microseconds(200);
  constexpr double pause_of_hooks = 0.05;  // seconds
  for (auto before = Clock::now(); !world.all_here(); std::this_thread::sleep_for(pause)) {
    if (seconds_since(before) < pause_of_hooks) continue;
    before = Clock::now();
    between_launches();
  }
}

}  // namespace bmsim
