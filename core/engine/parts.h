// The unit of work: a share of a point, or a part of one. Trajectories are numbered over all shares, and random numbers
// are counted, so that what a part gives does not depend on where, when, or beside which others it is computed.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/run.h"
#include "engine/target.h"

namespace bmsim {

/// Lane groups first ... first + groups - 1 of a share.
struct Part {
  Share share;
  size_t nth = 0;  ///< index of the share in its round
  uint64_t first = 0, groups = 0;
};

/// What a complete share gives.
struct ShareResult {
  std::vector<Estimate> columns;              ///< of the observables in their order
  std::vector<std::vector<double>> arrays;    ///< of the observables in their order, then all their probes
  std::vector<HalfMoments> halves{};          ///< as in Halves; empty if they are not compared
  std::vector<std::vector<double>> pooled{};  ///< Observable::pooled_numbers, by observable
  std::optional<Divergence> diverged;         ///< the first path that has diverged
  std::vector<Window> windows;                ///< of the variables; empty unless RunHooks::window asks for them
  std::vector<std::vector<double>> paths;     ///< what the windows show
};

/// The numbers of the paths of a share that is made in pieces, in rows with one number per path: values, as
/// Ensemble::window gives them, in the script's units, and rows of samples. Pieces write their paths, each in a thread;
/// not those that are in a bundle of theirs.
class ShareRows {
 public:
  ShareRows(size_t paths, size_t values, size_t samples);
  std::span<double> value(size_t i) const { return {numbers_.get() + i * paths_, paths_}; }
  std::span<double> sample(size_t i) const { return value(values_ + i); }
  size_t paths() const { return paths_; }
  size_t values() const { return values_; }
  size_t samples() const { return samples_; }

 private:
  size_t paths_, values_, samples_;
  std::unique_ptr<double[]> numbers_;
};

/// Moments of some bundles of a share (observe/moments.h), one after the other: by variable, and bundle. Empty where no
/// observable needs them.
struct Bundles {
  size_t first = 0, count = 0;
  std::vector<std::vector<WindowMoments>> moments{};
  std::vector<std::vector<HalfMoments>> halves{};
  void add(const Bundles& following);
};

/// What a part that is not a whole share gives: its bundles, and the paths that are in none of them, because a bundle
/// has paths of other parts, too, or because an observable needs every single path.
struct Piece {
  Part part;
  size_t first = 0, paths = 0;  ///< of the share
  std::shared_ptr<ShareRows> rows;
  Bundles bundles;
  std::vector<int64_t> sums;             ///< of the counters
  std::optional<Divergence> diverged{};  ///< its first path that has diverged
  /// From and to which path of the share it has paths in rows, before its bundles and after them.
  std::array<std::pair<size_t, size_t>, 2> in_rows() const;
};

/// Divides parts over workers, so that each has the same work: whole ones in turn; where these are few, the last ones
/// in as many pieces as there are workers. divisible: false if a share is one system. grain: groups of which pieces
/// should have whole numbers.
std::vector<std::vector<Part>> divide(const std::vector<Part>& parts, size_t workers, bool divisible, uint64_t grain);
/// What of a part none of these covers, which lie within it.
std::vector<Part> gaps(const Part& part, const std::vector<Piece>& pieces);

}  // namespace bmsim
