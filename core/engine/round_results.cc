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

void RoundResults::take(size_t nth, ShareResult result) {
  const std::lock_guard lock(mutex_);
  gathered_[nth].result = std::move(result);
}
void RoundResults::take(Piece piece) {
  const std::lock_guard lock(mutex_);
  take(gathered_[piece.part.nth], std::move(piece));
}
void RoundResults::take(Gathered& share, Piece piece) {
  share.groups += piece.part.groups;
  (piece.part.share.perturbed ? share.perturbed : share.pieces).push_back(std::move(piece));
}

std::shared_ptr<ShareRows> RoundResults::rows_of(const Part& part) {
  const std::lock_guard lock(mutex_);
  return rows_of(gathered_[part.nth], part.share.perturbed);
}
std::shared_ptr<ShareRows> RoundResults::rows_of(Gathered& share, bool perturbed) {
  std::shared_ptr<ShareRows>& rows = perturbed ? share.perturbed_rows : share.rows;
  if (!rows) rows = assembler_.make_rows();
  return rows;
}

void RoundResults::forget_pieces(size_t nth) {
  if (!gathered_[nth].result) gathered_[nth] = Gathered();
}

std::vector<Part> RoundResults::missing(const std::vector<Part>& parts) const {
  std::vector<Part> missing;
  for (const Part& part : parts) {
    const Gathered& share = gathered_[part.nth];
    if (share.result) continue;
    const std::vector<Part> rest = gaps(part, share.pieces);
    missing.insert(missing.end(), rest.begin(), rest.end());
  }
  return missing;
}

std::string RoundResults::records() const {
  std::string records;
  for (size_t i = 0; i < gathered_.size(); ++i) {
    if (gathered_[i].result) add_record(records, i, *gathered_[i].result);
    for (const auto* pieces : {&gathered_[i].perturbed, &gathered_[i].pieces})
      for (const Piece& piece : *pieces) add_record(records, piece);
  }
  return records;
}

void RoundResults::replace(std::string_view records) {
  for (Gathered& share : gathered_) share = Gathered();
  add(records);
}

void RoundResults::add(std::string_view records) {
  const std::lock_guard lock(mutex_);
  while (!records.empty()) {
    const Record record = next_record(records);
    Gathered& share = gathered_.at(record.nth);
    if (record.piece)
      take(share, piece_of(record.bytes, shares_[record.nth], record.nth,
                           [&](bool perturbed) { return rows_of(share, perturbed); }));
    else
      share.result = share_result(record.bytes);
  }
}

std::optional<RoundResults::Complete> RoundResults::next() {
  if (all_delivered()) return {};
  Gathered complete;
  {
    const std::lock_guard lock(mutex_);
    Gathered& share = gathered_[delivered_];
    if (!share.result && share.groups < groups_) return {};
    complete = std::exchange(share, {});
  }
  // An interruption ends this here: what follows in order is not given either.
  Complete next{delivered_, !complete.result, {}};
  next.result = next.of_pieces ? assembler_.assemble(complete.perturbed, complete.pieces) : *std::move(complete.result);
  ++delivered_;
  return next;
}

}  // namespace bmsim
