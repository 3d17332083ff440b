// Jumps of V, kinks (jumps of V') and gaps (V not finite) of a potential at given values. Found on the host by sampling
// V and V', so that it works for plugins and formulas alike.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "plugin/schema.h"

namespace bmsim {

/// A place where V, or V', jumps, and the values on both sides.
struct Jump {
  double x = 0, left = 0, right = 0;
  double t = 0;  ///< the time, if V depends on it
};

/// An interval [from, to] in which V is not finite, or one place, from = to, at which |V| grows without bound.
struct Gap {
  double from = 0, to = 0;
  double value = 0;  ///< of V there: nan or +-inf
  /// V rises without bound on the way to the gap, from below or from above: no particle gets there.
  bool wall_below = false, wall_above = false;
  double t = 0;
};

/// The breaks of a potential, in ascending order, within one period [-L/2, L/2], or for |x| <= 2^10 without a period.
struct Continuity {
  std::vector<Jump> jumps;  ///< of V
  std::vector<Jump> kinks;  ///< of V'
  std::vector<Gap> gaps;
  bool is_whole() const { return jumps.empty() && gaps.empty(); }
};

/// Samples V and V' at some thousand places, and at several times if V depends on time. Where V does not change by the
/// integral of V', or V' changes by more than nearby, bisection narrows the place down to rounding: a change that
/// remains is a jump. Places where abs, sign, min, max and floor of a formula switch are examined from both sides.
/// arrays: in the order of the descriptor. Takes a fraction of a millisecond.
Continuity continuity_of(const Plugin& potential, std::span<const double> values,
                         const std::vector<std::vector<double>>& arrays, double period);

constexpr size_t most_found = 16;  ///< jumps of V: there may be more
/// Adds the jumps, kinks and gaps at the time t to `result`.
void find_breaks(const Plugin& potential, std::span<const double> values,
                 const std::vector<std::vector<double>>& arrays, double period, double t, Continuity& result);

/// Throws Error if V jumps ("potential.formula: V must not jump: at x = 0.5 it falls by 5, ..."), or if it is periodic
/// and not finite at a place that particles reach.
void check_continuity(const Continuity& continuity, double period, std::string_view subject);
/// Throws Error if V is not finite where particles start, x in [from, to], or where they get from there between the
/// walls.
void check_reached(const Continuity& continuity, double from, double to, std::pair<double, double> walls,
                   std::string_view subject);

/// A cache of continuity_of(): a sweep asks for the same result at many points. A model and its copies share it, across
/// threads, too.
class Continuities {
 public:
  std::shared_ptr<const Continuity> find(const Plugin& potential, std::span<const double> values,
                                         const std::vector<std::vector<double>>& arrays, double period);

 private:
  std::mutex mutex_;
  std::map<std::pair<const Plugin*, std::vector<double>>, std::shared_ptr<const Continuity>> known_;
  size_t numbers_ = 0;  // how many all keys together hold
};

}  // namespace bmsim
