// Structure of a formula that samples of it may miss, found by bounds of it and its slope (formula/bounds.h).
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "formula/bounds.h"

namespace bmsim {

constexpr double smallest_structure = 1e-6;  ///< part of a region: nothing narrower is looked for
constexpr double far_more = 1.5;             ///< than samples have shown: less needs no other step
constexpr double little_doubt = 10;          ///< times what is known: of a sum of many waves no less may be
constexpr double little_change = 1.0 / 16;   ///< of an amplitude, part of the largest: noise does not notice

class Model;
struct Component;

using Box = std::vector<formula::Interval>;
/// What is looked for: large values, or large slopes.
enum class Extreme { value, slope };
/// Whether a change of a function in a box is too small to matter.
using Negligible = std::function<bool(const formula::Enclosed& bounds, const Box& box)>;

/// Place k of a sequence that fills a box evenly.
std::vector<double> spread_over(const Box& region, size_t k);

struct Extremes {
  double most = 0;                          ///< the largest at a place that was looked at
  std::vector<double> at{};                 ///< and that place
  std::vector<std::vector<double>> places;  ///< in which it is as large as there, about
  bool settled = true;                      ///< nowhere can it be far more
  bool singular = false;                    ///< has no bound about some place
  double bound = 0;                         ///< if not settled: what it may be
  std::vector<double> where{};              ///< and about where
};

/// Looks for sizes that are far more than the known one in a region, by halving those parts of it in which they may be:
/// the largest bound first, down to a tenth of smallest_structure. In a region of several sides, which cannot be looked
/// at in all its parts, it may end before it is sure, with what it has found so far. looks: the most parts to look at.
Extremes largest(formula::Enclosure& f, const Box& region, Extreme what, size_t along, double known,
                 const Negligible& negligible, size_t looks);

/// Zeros, ascending, at which the sign of a function changes along one side of a line: a box whose other sides are
/// points. Two that are nearer to each other than smallest_structure of the line may be missed.
std::vector<double> zeros_along(formula::Enclosure& f, const Box& line, size_t side, size_t looks);

/// Places, ascending, at which a function of one number that jumps has values that it has at neither end of the part of
/// `samples`, ascending, that they lie in: by more than `least`.
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

/// What a component computes, in messages: "the equations", "the amplitude of noise.gaussian", "events.decay".
std::string formula_of(const Model& model, const Component& component);

}  // namespace bmsim
