// The unit of work: a share of a point, or a part of one. Trajectories are numbered over all shares, and random numbers
// are counted, so that what a part gives does not depend on where, when, or beside which others it is computed.
#pragma once
#include <optional>
#include <string>
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
  std::vector<Estimate> columns;            ///< of the observables in their order
  std::vector<std::vector<double>> arrays;  ///< of the observables in their order
  std::vector<HalfMoments> halves{};        ///< of the variables; empty unless the halves of the window are compared
  std::optional<Divergence> diverged;       ///< the first path that has diverged
  std::vector<Window> windows;              ///< of the variables; empty unless RunHooks::window asks for them
  std::vector<std::vector<double>> paths;   ///< what the windows show
};

/// What a part that is not a whole share gives: its paths.
struct Piece {
  Part part;
  std::vector<std::vector<double>> values;  ///< by path value, as in Ensemble::window, in the script's units; by path
  std::vector<double> recorded;             ///< rows of samples, each with a number per path
  std::vector<int64_t> sums;                ///< of the counters
};

/// Divides parts over workers, so that each has the same work: whole ones in turn; where these are few, the last ones
/// in as many pieces as there are workers. divisible: false if a share is one system.
std::vector<std::vector<Part>> divide(const std::vector<Part>& parts, size_t workers, bool divisible);
/// What of a part none of these covers, which lie within it.
std::vector<Part> gaps(const Part& part, const std::vector<Piece>& pieces);

}  // namespace bmsim
