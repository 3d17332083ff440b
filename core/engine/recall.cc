// Takes from the journal what an earlier run has done.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backend/warn.h"
#include "engine/device_runner.h"
#include "engine/records.h"
#include "engine/runner.h"
#include "journal/journal.h"
#include "world/world.h"

namespace bmsim {

// Takes what the journal knows of the shares that are not delivered. Only rank 0 reads files: Peers::share_known.
void Runner::recall_all() {
  if (World::instance().rank() > 0) return;
  keeper_.journal().refresh();
  for (size_t i = results_.delivered(); i < results_.shares().size(); ++i) {
    results_.forget_pieces(i);
    recall(i);
  }
}

// Takes what the journal knows of a share: its result, or pieces. Perturbed twins: takes pieces only with both.
void Runner::recall(size_t nth) {
  if (results_.knows(nth)) return;
  const std::string key = keeper_.key_of(results_.shares()[nth]);
  for (const std::string& bytes : keeper_.journal().find(key)) results_.take(nth, share_result(bytes));
  if (results_.knows(nth)) return;
  std::vector<Piece> perturbed, pieces;
  for (const std::string& bytes : keeper_.journal().find(key + std::string(Journal::piece))) {
    const auto rows = [&](bool twins) {
      Part part = results_.whole(nth);
      part.share.perturbed = twins;
      return results_.rows_of(part);
    };
    Piece piece = piece_of(bytes, results_.shares()[nth], nth, rows);
    const Part& part = piece.part;
    const auto overlaps = [&](const Piece& other) {
      return part.first < other.part.first + other.part.groups && other.part.first < part.first + part.groups;
    };
    std::vector<Piece>& known = part.share.perturbed ? perturbed : pieces;
    if (std::ranges::none_of(known, overlaps)) known.push_back(std::move(piece));
  }
  for (Piece& piece : pieces) {
    if (plan_.needs.force_step) {
      const auto twin = std::ranges::find_if(perturbed, [&](const Piece& other) {
        return other.part.first == piece.part.first && other.part.groups == piece.part.groups;
      });
      if (twin == perturbed.end()) continue;
      results_.take(std::move(*twin));
      perturbed.erase(twin);
    }
    results_.take(std::move(piece));
  }
}

// Removes the parts of a batch from those that are left, and sets their places. False if one is not left to do.
bool Runner::take_off(std::vector<Part>& batch, std::vector<Part>& left) const {
  std::map<std::pair<uint32_t, uint64_t>, std::vector<Part>> rest;  // by point and number of the share
  for (const Part& part : left) rest[{part.share.point, part.share.number}].push_back(part);
  for (Part& part : batch) {
    std::vector<Part>& of_share = rest[{part.share.point, part.share.number}];
    const auto covering = std::ranges::find_if(of_share, [&](const Part& other) {
      return other.first <= part.first && part.first + part.groups <= other.first + other.groups;
    });
    if (covering == of_share.end()) return false;
    part.nth = covering->nth;
    if (part.share.perturbed) continue;  // its unperturbed twin is what is taken off
    Piece taken;
    taken.part = part;
    const std::vector<Part> others = gaps(*covering, {taken});
    of_share.erase(covering);
    of_share.insert(of_share.end(), others.begin(), others.end());
  }
  left.clear();
  for (const auto& [share, parts] : rest) left.insert(left.end(), parts.begin(), parts.end());
  std::ranges::stable_sort(left, {}, &Part::nth);
  return !batch.empty();
}

// Gives saved batches of this rank to its devices, in turn, and removes the saved batches of all ranks from the parts
// that are left. Returns the parts of this rank's batches.
std::vector<Part> Runner::take_states(std::vector<Part>& left, const std::vector<size_t>& devices) {
  std::vector<SavedBatch> saved;
  std::vector<std::string> names;
  std::string parts_of_batches;
  for (const std::string& name : keeper_.journal().states()) {
    const std::string bytes = keeper_.journal().state(name);
    if (bytes.empty()) {
      warn(fmt::format("checkpoint: the state '{}' in '{}' is damaged and is dropped; its paths begin again", name,
                       keeper_.journal().directory().string()));
      keeper_.journal().drop_state(name);
      continue;
    }
    std::optional<SavedBatch> batch = saved_batch(bytes, keeper_.identity());
    if (!batch) continue;
    parts_of_batches += framed(bytes_of(batch->parts));
    saved.push_back(*std::move(batch));
    names.push_back(name);
  }
  World& world = World::instance();
  const FromRanks batches = world.gather("states of a round", std::move(parts_of_batches));
  std::vector<Part> mine;
  for (size_t rank = 0; rank < batches.of.size(); ++rank) {
    std::string_view records = batches.of[rank];
    for (size_t i = 0; !records.empty(); ++i) {
      std::vector<Part> parts = parts_of(next_record(records).bytes);
      const bool fits = take_off(parts, left);
      if (rank != world.rank()) continue;
      if (!fits) {
        const auto is_first = [&](const Share& share) {
          return !parts.empty() && share.point == parts[0].share.point && share.number == parts[0].share.number;
        };
        if (std::ranges::any_of(results_.shares(), is_first))
          keeper_.journal().drop_state(names[i]);  // the batch is done
        continue;
      }
      mine.insert(mine.end(), parts.begin(), parts.end());
      saved[i].parts = parts;
      DeviceRunner& device = *workers_[devices[i % devices.size()]]->runner;
      if (device.add(std::move(saved[i]))) continue;
      std::erase_if(parts, [](const Part& part) { return part.share.perturbed; });
      device.add(parts);  // the batch begins again
      keeper_.journal().drop_state(names[i]);
    }
  }
  return mine;
}

// Ends a device's work in a round; called by its thread. unfinished: the run goes on at another time.
void Runner::leave(size_t device, bool unfinished) {
  if (unfinished) keeper_.save_state(*workers_[device]->runner, true);
  workers_[device]->runner->give_back();
}

}  // namespace bmsim
