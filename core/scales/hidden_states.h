// States of a system at which its formulas change far faster than samples show.
#pragma once
#include "model/structure.h"
#include "scales/short_motion.h"

namespace bmsim::short_paths {

/// What evenly spread samples, and paths, may have missed in a region, of forces, amplitudes, rates and formulas at
/// whose zeros events come. States are the middle of the region but for what a function depends on. Mean fields are
/// looked at as numbers of their own, between the least and the greatest value that a path in the region has of them. A
/// function without a bound in the region, as of 1/r, tells nothing.
struct HiddenStates {
  /// fields: values of all mean fields; none where paths are among others that are all at the same state.
  struct Place {
    State at{};
    std::vector<double> fields{};
  };
  /// Where a function is far larger or steeper along one coordinate than samples have shown.
  std::vector<Place> found{};
  /// Where it is so at one of the samples, and nowhere near it.
  std::vector<Place> at_samples{};
  /// Between two zeros of a formula of events that are near to each other. coordinate: of the state, then of the mean
  /// fields.
  struct Window {
    State at{};
    size_t coordinate = 0;
    double width = 0;
  };
  std::vector<Window> windows{};
  /// A function, if some, of which the search ended before it was sure, and near which state.
  const Component* unsure = nullptr;
  State unsure_at{};
  /// One of more than three coordinates, if some, of which the search ended with less doubt.
  const Component* doubtful = nullptr;
};

HiddenStates hidden_states(const Model& model, const ModelValues& values, const State& low, const State& high,
                           double t);

}  // namespace bmsim::short_paths
