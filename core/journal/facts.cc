// What a journal holds, for people.
#include <algorithm>
#include <map>
#include <sstream>
#include <utility>

#include "error.h"
#include "journal/journal.h"

namespace bmsim {

namespace fs = std::filesystem;

Journal::Journal(fs::path directory) : directory_(std::move(directory)), part_(), every_(0) { refresh(); }

JournalFacts journal_facts(const fs::path& directory) {
  if (!fs::is_directory(directory)) fail("checkpoint: '{}' is not a directory", directory.string());
  Journal journal(directory);
  if (journal.files_.empty()) fail("checkpoint: '{}' holds no journal", directory.string());
  JournalFacts facts;
  facts.identities = journal.identities_;
  facts.damaged = journal.damaged_;
  facts.files = journal.files_.size();
  for (const std::string& text : journal.find(std::string(Journal::begun))) {
    std::istringstream note(text);
    std::string identity;
    uint64_t shares = 0;
    if (!(note >> identity >> shares)) continue;
    auto ensemble = std::ranges::find(facts.ensembles, identity, &JournalFacts::Ensemble::identity);
    if (ensemble == facts.ensembles.end()) ensemble = facts.ensembles.insert(ensemble, {identity});
    ensemble->shares = std::max(ensemble->shares, shares);
  }
  struct Pace {
    int64_t said = 0;
    double seconds_left = 0;
  };
  std::map<std::pair<std::string, size_t>, Pace> latest;  // by ensemble and file
  const auto [first, end] = journal.places_.equal_range(std::string(Journal::pace));
  for (auto note = first; note != end; ++note) {
    std::istringstream text(journal.payload(note->second));
    std::string identity;
    Pace pace;
    if (!(text >> identity >> pace.said >> pace.seconds_left)) continue;
    latest[{identity, note->second.file}] = pace;  // equal keys are in the order in which they were written
  }
  for (const auto& [source, pace] : latest) {
    const auto ensemble = std::ranges::find(facts.ensembles, source.first, &JournalFacts::Ensemble::identity);
    if (ensemble == facts.ensembles.end()) continue;
    ensemble->seconds_left = std::max(ensemble->seconds_left, pace.seconds_left);
    ensemble->said = std::max(ensemble->said, pace.said);
  }
  std::string last;
  for (const auto& [key, place] : journal.places_) {
    const auto ensemble =
        std::ranges::find(facts.ensembles, key.substr(0, key.find('-')), &JournalFacts::Ensemble::identity);
    if (ensemble == facts.ensembles.end() || std::exchange(last, key) == key || key.ends_with(Journal::whole)) continue;
    const bool pieces = key.ends_with(Journal::piece);
    const std::string share = key.substr(0, key.size() - (pieces ? Journal::piece.size() : 0));
    ++(pieces && !journal.places_.contains(share + std::string(Journal::whole)) ? ensemble->pieces : ensemble->done);
  }
  for (const fs::directory_entry& entry : fs::directory_iterator(directory)) {
    if (entry.path().extension() == Journal::state_suffix) ++facts.states;
    facts.bytes += entry.file_size();
  }
  return facts;
}

}  // namespace bmsim
