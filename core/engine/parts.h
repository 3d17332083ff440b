// The unit of work: a share of a point, or a part of a share. Trajectories are numbered over all shares, and random
// numbers are counted, so that the results of a part do not depend on where, when, or beside what it is computed.
#pragma once
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "engine/estimates.h"
#include "engine/run.h"

namespace bmsim {

/// The lane groups first ... first + groups - 1 of a share.
struct Part {
  Share share;
  size_t nth = 0;  ///< index of the share in its round
  uint64_t first = 0, groups = 0;
};

/// The results of a complete share.
struct ShareResult {
  std::vector<Estimate> columns;              ///< of the observables in their order
  std::vector<std::vector<double>> arrays;    ///< of the observables in their order, then the probes of all
  std::vector<HalfMoments> halves{};          ///< as in Halves; empty if they are not compared
  std::vector<std::vector<double>> pooled{};  ///< Observable::pooled_numbers, by observable
  std::optional<Divergence> diverged;         ///< the first path that diverged
  std::vector<Window> windows;                ///< of the variables; empty unless RunHooks::window asks for them
  std::vector<std::vector<double>> paths;     ///< the memory that the windows look at
};

/// The numbers of all paths of a share that is made in pieces, in rows with one number per path: rows of values, as
/// Ensemble::window gives them, in the script's units, then rows of samples. Each piece writes its own paths, in its
/// own thread, except paths in bundles of its own.
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

/// Moments of consecutive bundles of a share (observe/moments.h), by variable and bundle; empty where not needed.
struct Bundles {
  size_t first = 0, count = 0;
  std::vector<std::vector<WindowMoments>> moments{};
  std::vector<std::vector<HalfMoments>> halves{};
  void add(const Bundles& following);
};

/// The results of a part that is not a whole share: its bundles, and the paths that are in none of them. A path is in
/// none if its bundle has paths of other parts, too, or if an observable needs every single path.
struct Piece {
  Part part;
  size_t first = 0, paths = 0;  ///< its paths, as numbers in the share
  std::shared_ptr<ShareRows> rows;
  Bundles bundles;
  std::vector<int64_t> sums;             ///< of the counters
  std::optional<Divergence> diverged{};  ///< its first path that diverged
  /// The ranges of paths that it has in rows, as [begin, end) in the share: before its bundles and after them.
  std::array<std::pair<size_t, size_t>, 2> in_rows() const;
};

/// Divides parts over workers, so that each has the same work: whole parts in turn. If there are few of them, the last
/// ones are cut into as many pieces as there are workers. divisible: false if a share is one system. grain: number of
/// groups of which pieces should be multiples.
std::vector<std::vector<Part>> divide(const std::vector<Part>& parts, size_t workers, bool divisible, uint64_t grain);
/// What remains of a part that these pieces, which lie within it, do not cover.
std::vector<Part> gaps(const Part& part, const std::vector<Piece>& pieces);

}  // namespace bmsim
