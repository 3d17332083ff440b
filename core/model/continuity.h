// What a potential is at given values: where V jumps, where V' does, and where V is not finite. Found on the host, by
// sampling V and V', so that it holds for plugins and formulas alike.
#pragma once
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "plugin/schema.h"

namespace bmsim {

/// A place where V, or V', jumps, and the values beside it.
struct Jump {
  double x = 0, left = 0, right = 0;
  double t = 0;  ///< where V depends on time
};

/// Where V is not finite: all of [from, to], or one place, from = to, towards which it grows without bound.
struct Gap {
  double from = 0, to = 0;
  double value = 0;  ///< of V there: nan or +-inf
  /// V rises without bound towards it, for who comes from below or from above: no particle gets there.
  bool wall_below = false, wall_above = false;
  double t = 0;
};

/// All in ascending order, within one period, [-L/2, L/2], or without one for 2^-10 <= |x| <= 2^10 and between.
struct Continuity {
  std::vector<Jump> jumps;  ///< of V
  std::vector<Jump> kinks;  ///< of V'
  std::vector<Gap> gaps;
};

/// V and V' are sampled at some thousand places, and at several times where V depends on time. Where the change of V is
/// not the integral of V', and where V' changes by more than beside, the place is closed in on to rounding: what
/// remains is a jump. What a formula's abs, sign, min, max and floor switch at is looked at from both sides. arrays: in
/// the order of the descriptor. Takes a fraction of a millisecond.
Continuity continuity_of(const Plugin& potential, const std::vector<double>& values,
                         const std::vector<std::vector<double>>& arrays, double period);

/// Throws Error where V jumps ("potential.formula: V must not jump: at x = 0.5 it falls by 5, ..."), or where it is
/// periodic and not finite at a place that particles come to.
void check_continuity(const Continuity& continuity, double period, std::string_view subject);
/// Throws Error if V is not finite where particles begin, x in [from, to], or where they come to from there.
void check_reached(const Continuity& continuity, double from, double to, std::string_view subject);

/// Those that were asked for before: a sweep asks for the same ones at many points. Models that are copies of each
/// other share it, in whatever threads they are.
class Continuities {
 public:
  std::shared_ptr<const Continuity> find(const Plugin& potential, const std::vector<double>& values,
                                         const std::vector<std::vector<double>>& arrays, double period);

 private:
  std::mutex mutex_;
  std::map<std::pair<const Plugin*, std::vector<double>>, std::shared_ptr<const Continuity>> known_;
  size_t numbers_ = 0;  // in all keys together
};

}  // namespace bmsim
