// States of a system at which its formulas change far faster than samples show.
#pragma once
#include "model/structure.h"
#include "scales/short_motion.h"

namespace bmsim::short_paths {

/// What evenly spread samples, and paths, may have missed in a region: of forces, amplitudes, rates, and formulas at
/// whose zeros events come. Coordinates that a function does not depend on are those of the middle of the region. Mean
/// fields are looked at as numbers of their own, between the least and the greatest value of their formulas in the
/// region. A function without a bound in the region, such as 1/r, tells nothing.
struct HiddenStates {
  /// fields: values of all mean fields; empty if all paths are at the same state.
  struct Place {
    State at{};
    std::vector<double> fields{};
  };
  /// Where a function is far larger, or far steeper along one coordinate, than samples have shown.
  std::vector<Place> found{};
  /// Samples at which a function is far larger or steeper than near them.
  std::vector<Place> at_samples{};
  /// The gap between two zeros, close to each other, of a formula of events. coordinate: one of the state, or, counted
  /// on from these, a mean field.
  struct Window {
    State at{};
    size_t coordinate = 0;
    double width = 0;
  };
  std::vector<Window> windows{};
  /// A function for which the search ended before it was sure, and the state near which it did; null if there is none.
  const Component* unsure = nullptr;
  State unsure_at{};
  /// A function of more than three coordinates for which the search ended with less doubt; null if there is none.
  const Component* doubtful = nullptr;
};

HiddenStates hidden_states(const Model& model, const ModelValues& values, const Range& region, double t);

}  // namespace bmsim::short_paths
