#include "engine/peers.h"

#include <fmt/format.h>

#include <thread>

#include "backend/warn.h"
#include "error.h"
#include "journal/journal.h"
#include "printable.h"
#include "world/world.h"

namespace bmsim {

namespace {

bool alone() { return World::instance().size() == 1; }

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

void Peers::compare(const std::string& identity, Journal* journal, bool looks_at_paths) {
  if (alone()) return;
  World& world = World::instance();
  compare_checkpoints(world, journal);
  if (looks_at_paths) fail("run: paths of several ranks cannot be looked at");
  const FromRanks identities = world.gather("a run", identity);
  for (size_t rank = 1; rank < identities.of.size(); ++rank)
    if (identities.of[rank] != identities.of[0])
      fail(
          "run: rank {} has another run than rank 0: other model, parameters, points, paths, seed, observables or kind "
          "of device; a script must do the same on all ranks",
          rank);
}

void Peers::share_known(RoundResults& results) {
  done_.clear();
  if (alone()) return;
  World& world = World::instance();
  std::string known = world.rank() == 0 ? results.records() : "";
  results.replace(world.gather("the beginning of a round", std::move(known)).of[0]);
}

void Peers::note(size_t nth, const ShareResult& result) {
  if (alone()) return;
  const std::lock_guard lock(mutex_);
  add_record(done_, nth, result);
}
void Peers::note(const Piece& piece) {
  if (alone()) return;
  const std::lock_guard lock(mutex_);
  add_record(done_, piece);
}

void Peers::share_done(RoundResults& results, const std::function<void()>& meanwhile) {
  if (alone()) return;
  World& world = World::instance();
  constexpr auto pause = std::chrono::microseconds(200);
  constexpr double between_calls = 0.05;  // seconds
  for (auto before = Clock::now(); !world.all_here(); std::this_thread::sleep_for(pause)) {
    if (seconds_since(before) < between_calls) continue;
    before = Clock::now();
    meanwhile();
  }
  const FromRanks records = world.gather("the end of a round", std::exchange(done_, {}));
  for (size_t rank = 0; rank < records.of.size(); ++rank)
    if (rank != world.rank()) results.add(records.of[rank]);
}

}  // namespace bmsim
