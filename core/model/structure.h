// Structure of a formula that samples may miss, found by bounds of the formula and its slope (formula/bounds.h).
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formula/bounds.h"

namespace bmsim {

constexpr double smallest_structure = 1e-6;  ///< part of a region: nothing narrower is looked for
constexpr double far_more = 1.5;             ///< times what samples have shown: less needs no other step
constexpr double little_doubt = 10;          ///< times what is known: bounds of a sum of many waves may be no less
constexpr double little_change = 1.0 / 16;   ///< of an amplitude, relative to the largest: noise does not notice it

class Model;
struct Component;

using Box = std::vector<formula::Interval>;
/// What a search looks for: large values, or large slopes.
enum class Extreme { value, slope };
/// The largest size in bounds; INFINITY where a function is not defined.
double size_of(const formula::Enclosed& bounds, Extreme sought);
/// Whether a change of a function in a box is too small to matter.
using Negligible = std::function<bool(const formula::Enclosed& bounds, const Box& box)>;

/// Place k of a sequence that fills a box evenly.
std::vector<double> spread_over(const Box& region, size_t k);

struct Extremes {
  double most = 0;                          ///< the largest size at a place that was looked at
  std::vector<double> at{};                 ///< that place
  std::vector<std::vector<double>> places;  ///< others at which it was found to be about as large
  bool settled = true;                      ///< whether it can be far more nowhere
  bool singular = false;                    ///< whether it has no bound around some place
  double bound = 0;                         ///< if not settled: how large it may be
  std::vector<double> where{};              ///< if not settled: about where it may be so
};

/// Looks in a region for sizes that are far more than the known one. Parts in which they may be are halved, that with
/// the largest bound first, down to a tenth of smallest_structure. A region of several sides cannot be looked at in all
/// its parts: the search may end before it is sure, with what it has found so far. looks: the most parts to look at.
Extremes largest(formula::Enclosure& f, const Box& region, Extreme sought, size_t along, double known,
                 const Negligible& negligible, size_t looks);

/// Zeros, ascending, at which the sign of a function changes along one side of a line, a box whose other sides are
/// points. Two zeros that are nearer to each other than smallest_structure of the line may be missed.
std::vector<double> zeros_along(formula::Enclosure& f, const Box& line, size_t side, size_t looks);

/// Places, ascending, at which a function of one number that jumps differs by more than `least` from its values at both
/// neighbouring samples. samples: ascending.
struct HiddenPieces {
  std::vector<double> at{};
  std::optional<double> unsure{};  ///< near which there may be others: the search ended before it was sure
};
HiddenPieces hidden_pieces(formula::Enclosure& f, std::span<const double> samples, double least, size_t looks);

/// Parts of a line, ascending and no longer than `shortest`, in which bounds say that a function of one number may jump
/// by more than `least`.
struct JumpingParts {
  std::vector<formula::Interval> parts{};
  std::optional<double> unsure{};  ///< near which there may be others: the search ended before it was sure
};
JumpingParts jumping_parts(formula::Enclosure& f, const formula::Interval& line, double least, double shortest,
                           size_t looks);

/// The name of what a component computes, for messages: "the equations", "the amplitude of noise.gaussian",
/// "events.decay".
std::string formula_of(const Model& model, const Component& component);

}  // namespace bmsim
