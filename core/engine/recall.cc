// What a run takes from its journal.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "backend/warn.h"
#include "engine/device_runner.h"
#include "engine/records.h"
#include "engine/runner.h"
#include "error.h"
#include "journal/journal.h"
#include "world/world.h"

namespace bmsim {

// Takes what the journal knows of the shares that are not delivered. Rank 0 tells the others, see share_known: of many
// ranks one reads the files of all.
void Runner::recall_all() {
  if (World::instance().rank() > 0) return;
  keeper_.journal().refresh();
  for (size_t i = delivered_; i < gathered_.size(); ++i) {
    if (!gathered_[i].result) gathered_[i] = Gathered();
    recall(i);
  }
}

// Takes what the journal knows of a share: its result, or pieces; perturbed ones only beside those that are not.
void Runner::recall(size_t nth) {
  Gathered& share = gathered_[nth];
  if (share.result || share.groups > 0) return;
  const std::string key = keeper_.key_of(shares_[nth]);
  for (const std::string& bytes : keeper_.journal().find(key)) share.result = share_result(bytes);
  if (share.result) return;
  std::vector<Piece> perturbed;
  for (const std::string& bytes : keeper_.journal().find(key + std::string(Journal::piece))) {
    Piece piece = piece_of(bytes, shares_[nth], nth, [&](bool twins) { return rows_of(share, twins); });
    const auto meets = [&](const Piece& one) {
      return piece.part.first < one.part.first + one.part.groups &&
             one.part.first < piece.part.first + piece.part.groups;
    };
    std::vector<Piece>& all = piece.part.share.perturbed ? perturbed : share.pieces;
    if (std::ranges::none_of(all, meets)) all.push_back(std::move(piece));
  }
  if (plan_.needs.force_step)
    std::erase_if(share.pieces, [&](const Piece& piece) {
      const auto twin = std::ranges::find_if(perturbed, [&](const Piece& one) {
        return one.part.first == piece.part.first && one.part.groups == piece.part.groups;
      });
      if (twin == perturbed.end()) return true;
      share.perturbed.push_back(std::move(*twin));
      perturbed.erase(twin);
      return false;
    });
  for (const Piece& piece : share.pieces) share.groups += piece.part.groups * (plan_.needs.force_step ? 2 : 1);
}

// Takes what a batch has off the parts that are left, and says where it belongs. False if it has something else.
bool Runner::take_off(std::vector<Part>& batch, std::vector<Part>& left) const {
  std::map<std::pair<uint32_t, uint64_t>, std::vector<Part>> rest;  // by point and number of the share
  for (const Part& one : left) rest[{one.share.point, one.share.number}].push_back(one);
  for (Part& part : batch) {
    std::vector<Part>& of_share = rest[{part.share.point, part.share.number}];
    const auto whole = std::ranges::find_if(of_share, [&](const Part& one) {
      return one.first <= part.first && part.first + part.groups <= one.first + one.groups;
    });
    if (whole == of_share.end()) return false;
    part.nth = whole->nth;
    if (part.share.perturbed) continue;  // they go with the others of their share
    Piece taken;
    taken.part = part;
    const std::vector<Part> others = gaps(*whole, {taken});
    of_share.erase(whole);
    of_share.insert(of_share.end(), others.begin(), others.end());
  }
  left.clear();
  for (const auto& [share, parts] : rest) left.insert(left.end(), parts.begin(), parts.end());
  std::ranges::stable_sort(left, {}, &Part::nth);
  return !batch.empty();
}

// Gives batches that were at work to the devices, in turn, and takes off what those of all ranks have. What this rank
// has to do besides what is left.
std::vector<Part> Runner::take_states(std::vector<Part>& left, const std::vector<size_t>& devices) {
  std::vector<SavedBatch> saved;
  std::vector<std::string> names;
  std::string theirs;
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
    theirs += framed(bytes_of(batch->parts));
    saved.push_back(*std::move(batch));
    names.push_back(name);
  }
  World& world = World::instance();
  const FromRanks all = world.gather("states of a round", std::move(theirs));
  std::vector<Part> mine;
  for (size_t rank = 0; rank < all.of.size(); ++rank) {
    std::string_view records = all.of[rank];
    for (size_t i = 0; !records.empty(); ++i) {
      std::vector<Part> parts = parts_of(next_record(records).bytes);
      const bool fits = take_off(parts, left);
      if (rank != world.rank()) continue;
      if (!fits) {
        const auto its = [&](const Share& one) {
          return !parts.empty() && one.point == parts[0].share.point && one.number == parts[0].share.number;
        };
        if (std::ranges::any_of(shares_, its)) keeper_.journal().drop_state(names[i]);  // it is done
        continue;
      }
      mine.insert(mine.end(), parts.begin(), parts.end());
      saved[i].parts = parts;
      DeviceRunner& device = *workers_[devices[i % devices.size()]]->runner;
      if (device.add(std::move(saved[i]))) continue;
      std::erase_if(parts, [](const Part& one) { return one.share.perturbed; });
      device.add(parts);  // it begins again
      keeper_.journal().drop_state(names[i]);
    }
  }
  return mine;
}

// The end of a device's work in a round, by its thread. unfinished: the run goes on at another time.
void Runner::leave(size_t device, bool unfinished) {
  if (unfinished) keeper_.save_state(*workers_[device]->runner, true);
  workers_[device]->runner->give_back();
}

}  // namespace bmsim
