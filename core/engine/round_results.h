// What is known of the shares of a round: from devices, from a journal, and from other processes.
#pragma once
#include <memory>
#include <mutex>

#include "engine/records.h"
#include "engine/reduction.h"

namespace bmsim {

/// The results of the shares of a round, whole or in pieces, in any order. Several threads may use it at once, but one
/// of them alone begins rounds and takes what is complete.
class RoundResults {
 public:
  /// keep_windows: shares keep the values of single paths.
  RoundResults(const EnsemblePlan& plan, const KernelLayout& layout, bool keep_windows);
  void begin(const std::vector<Share>& shares);
  const std::vector<Share>& shares() const { return shares_; }
  const Reduction& assembler() const { return assembler_; }
  /// The whole share of this place in the round, as a part to be done.
  Part whole(size_t nth) const { return {shares_[nth], nth, 0, assembler_.groups_per_share()}; }

  void take(size_t nth, ShareResult result);
  void take(Piece piece);
  /// Where the paths of a part of a share that comes in pieces are put.
  std::shared_ptr<ShareRows> rows_of(const Part& part);
  /// Whether anything is known of a share.
  bool knows(size_t nth) const { return gathered_[nth] && (gathered_[nth]->result || gathered_[nth]->groups > 0); }
  /// Forgets the pieces of a share that is not whole.
  void forget_pieces(size_t nth);
  /// What is not known of these parts.
  std::vector<Part> missing(const std::vector<Part>& parts) const;

  /// All that is known, as records; and forgets everything in favour of these, or adds them.
  std::string records() const;
  void replace(std::string_view records);
  void add(std::string_view records);

  struct Complete {
    size_t nth;
    bool of_pieces;
    ShareResult result;
  };
  /// The next share, in order, if it is complete. Puts its pieces together.
  std::optional<Complete> next();
  /// Number of shares that next() has given; whether that is all.
  size_t delivered() const { return delivered_; }
  bool all_delivered() const { return delivered_ == gathered_.size(); }

 private:
  struct Gathered {
    std::optional<ShareResult> result;
    std::vector<Piece> perturbed, pieces;             // in any order
    std::shared_ptr<ShareRows> perturbed_rows, rows;  // where their paths are; none before the first piece
    uint64_t groups = 0;                              // of the pieces
  };
  Gathered& gathered(size_t nth);
  std::shared_ptr<ShareRows> rows_of(Gathered& share, bool perturbed);
  void take(Gathered& share, Piece piece);

  Reduction assembler_;
  uint64_t groups_;  // of a share, with perturbed ones
  std::vector<Share> shares_;
  std::vector<std::unique_ptr<Gathered>> gathered_;  // by share; null: nothing is known, or all was delivered
  mutable std::mutex mutex_;                         // guards gathered_
  size_t delivered_ = 0;
};

}  // namespace bmsim
