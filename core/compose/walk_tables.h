// Method exact with white noise: the probabilities of the walk over the edges of a piecewise-linear potential
// (kernels/walk_clock.h; docs/exact-walk.md derives them).
#pragma once
#include <span>
#include <vector>

#include "model/model.h"
#include "model/pieces.h"

namespace bmsim {

/// Tables of a point. A state is a joint state of all event noises; that of the first noise runs fastest. A row is a
/// piece in a state: state * pieces + piece. Lengths are in periods.
struct WalkTables {
  size_t pieces = 0, states = 1;
  std::vector<double> edge;  ///< the left edges of the pieces, then that of the first plus 1
  /// Columns with one number for each row:
  ///   p, m, 1/p, 1/m, 1/(1 - exp(-(p + m) width)), width, left edge;
  ///   cumulated probabilities, from the left edge, of what comes next: the next edge on the right, that on the left,
  ///   an event on the left; displacement that V gives on the piece, over the probability of an event there;
  ///   displacement that V gives until the particle has gone from the left edge to another edge or to an event;
  ///   cumulated probabilities that an event is one of each noise, a column per noise; inverses of these probabilities,
  ///   not cumulated.
  std::vector<double> columns;
  std::vector<double> force;  ///< of every noise, one after the other, in each of its states
  double shortest = 0;        ///< the smallest (p + m) width
  /// About how many moves a particle makes for one event or tick, as if it were equally often at all edges.
  double moves_per_event() const;
};

/// The pieces of the potential, with an edge at every level, modulo the period. If there is an edge at a level already,
/// the widest piece is halved instead, so that the number of pieces is the same at all points.
Pieces walked_pieces(const Model& model, const ModelValues& values, std::span<const double> levels);

/// dt: mean time between two ticks of the clock. Without white noise, tables are the limits as its intensity goes to 0.
WalkTables walk_tables(const Model& model, const ModelValues& values, double dt, std::span<const double> levels);

/// Numbers of states of the noises with events, in the order of the components.
std::vector<size_t> walk_states(const Model& model, const ModelValues& values);

}  // namespace bmsim
