#include "engine/round_results.h"

namespace bmsim {

RoundResults::RoundResults(const EnsemblePlan& plan, const KernelLayout& layout, bool keep_windows)
    : assembler_(plan, layout, keep_windows, {}),
      groups_(assembler_.groups_per_share() * (plan.needs.force_step ? 2 : 1)) {}

void RoundResults::begin(const std::vector<Share>& shares) {
  shares_ = shares;
  gathered_.clear();
  gathered_.resize(shares.size());
  delivered_ = 0;
}

RoundResults::Gathered& RoundResults::gathered(size_t nth) {
  std::unique_ptr<Gathered>& share = gathered_.at(nth);
  if (!share) share = std::make_unique<Gathered>();
  return *share;
}

void RoundResults::take(size_t nth, ShareResult result) {
  const std::lock_guard lock(mutex_);
  gathered(nth).result = std::move(result);
}
void RoundResults::take(Piece piece) {
  const std::lock_guard lock(mutex_);
  Gathered& share = gathered(piece.part.nth);
  take(share, std::move(piece));
}
void RoundResults::take(Gathered& share, Piece piece) {
  share.groups += piece.part.groups;
  (piece.part.share.perturbed ? share.perturbed : share.pieces).push_back(std::move(piece));
}

std::shared_ptr<ShareRows> RoundResults::rows_of(const Part& part) {
  const std::lock_guard lock(mutex_);
  return rows_of(gathered(part.nth), part.share.perturbed);
}
std::shared_ptr<ShareRows> RoundResults::rows_of(Gathered& share, bool perturbed) {
  std::shared_ptr<ShareRows>& rows = perturbed ? share.perturbed_rows : share.rows;
  if (!rows) rows = assembler_.make_rows();
  return rows;
}

void RoundResults::forget_pieces(size_t nth) {
  if (gathered_[nth] && !gathered_[nth]->result) gathered_[nth].reset();
}

std::vector<Part> RoundResults::missing(const std::vector<Part>& parts) const {
  std::vector<Part> missing;
  for (const Part& part : parts) {
    const Gathered* share = gathered_[part.nth].get();
    if (share == nullptr) {
      if (part.groups > 0) missing.push_back(part);
      continue;
    }
    if (share->result) continue;
    const std::vector<Part> rest = gaps(part, share->pieces);
    missing.insert(missing.end(), rest.begin(), rest.end());
  }
  return missing;
}

std::string RoundResults::records() const {
  std::string records;
  for (size_t i = 0; i < gathered_.size(); ++i) {
    const Gathered* share = gathered_[i].get();
    if (share == nullptr) continue;
    if (share->result) add_record(records, i, *share->result);
    for (const auto* pieces : {&share->perturbed, &share->pieces})
      for (const Piece& piece : *pieces) add_record(records, piece);
  }
  return records;
}

void RoundResults::replace(std::string_view records) {
  for (std::unique_ptr<Gathered>& share : gathered_) share.reset();
  add(records);
}

void RoundResults::add(std::string_view records) {
  const std::lock_guard lock(mutex_);
  while (!records.empty()) {
    const Record record = next_record(records);
    Gathered& share = gathered(record.nth);
    if (record.piece)
      take(share, piece_of(record.bytes, shares_[record.nth], record.nth,
                           [&](bool perturbed) { return rows_of(share, perturbed); }));
    else
      share.result = share_result(record.bytes);
  }
}

std::optional<RoundResults::Complete> RoundResults::next() {
  if (all_delivered()) return {};
  std::unique_ptr<Gathered> share;
  {
    const std::lock_guard lock(mutex_);
    const Gathered* known = gathered_[delivered_].get();
    if (known == nullptr || (!known->result && known->groups < groups_)) return {};
    share = std::move(gathered_[delivered_]);
  }
  Gathered& complete = *share;
  // An interruption ends this here: what follows in order is not given either.
  Complete next{delivered_, !complete.result, {}};
  next.result = next.of_pieces ? assembler_.assemble(complete.perturbed, complete.pieces) : *std::move(complete.result);
  ++delivered_;
  return next;
}

}  // namespace bmsim
